package io.evenkeel.sandbox.kafka;

import io.evenkeel.sandbox.PortTakenException;
import io.evenkeel.sandbox.TemporaryFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka cluster in this JVM, reachable on loopback only: one broker, or several with a controller of their own.
 *
 * <p>Ports and data outlive {@link #stop} and {@link #restart}; a fixed data folder also outlives the process, however
 * that ended. Thread-safe: the methods that change something wait for each other.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedKafka.class);

    /** Of the node that only holds metadata when there are several brokers, so that any broker may be stopped. */
    private static final int CONTROLLER_NODE = 100;

    private final Builder settings;
    private final DataFolder data;
    private final Map<Integer, Integer> portByBroker = new TreeMap<>();
    private final Map<Integer, KafkaNode> running = new TreeMap<>();
    private final RequestGate gate = new RequestGate();
    private int controllerPort;
    private boolean started;

    private EmbeddedKafka(Builder settings, DataFolder data) {
        this.settings = settings;
        this.data = data;
        IntStream.rangeClosed(1, settings.brokers)
                .forEach(id -> portByBroker.put(id, settings.port == 0 ? 0 : settings.port + id - 1));
    }

    /** One broker on a free port with a temporary data folder, unless told otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts all nodes and returns when they answer; does nothing if they run.
     *
     * @return this, for {@code try (EmbeddedKafka kafka = EmbeddedKafka.builder().build().start())}
     * @throws PortTakenException if a fixed port is taken; nothing was started then
     * @throws IllegalStateException if another cluster runs on the data folder
     */
    public synchronized EmbeddedKafka start() {
        if (started) {
            return this;
        }
        data.acquire();
        started = true;
        try {
            List<BoundNode> bound = bindAll();
            try {
                bound.forEach(this::startNode);
            } catch (RuntimeException e) {
                bound.forEach(node -> node.sockets().close());
                throw e;
            }
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
        log.atInfo().addKeyValue("bootstrapServers", bootstrapServers()).log("embedded Kafka started");
        return this;
    }

    /** Before any node starts, so that a taken port leaves nothing behind and the controller's port is known to all. */
    private List<BoundNode> bindAll() {
        List<BoundNode> bound = new ArrayList<>();
        try {
            for (int nodeId : nodeIds()) {
                bound.add(bind(nodeId));
            }
            return bound;
        } catch (RuntimeException e) {
            bound.forEach(node -> node.sockets().close());
            throw e;
        }
    }

    private BoundNode bind(int nodeId) {
        LoopbackSockets sockets = new LoopbackSockets();
        try {
            if (rolesOf(nodeId).contains(NodeRole.BROKER)) {
                portByBroker.computeIfPresent(nodeId, (id, port) -> sockets.bind(NodeRole.BROKER.listener(), port));
            }
            if (rolesOf(nodeId).contains(NodeRole.CONTROLLER)) {
                controllerPort = sockets.bind(NodeRole.CONTROLLER.listener(), 0);
            }
            return new BoundNode(nodeId, sockets);
        } catch (RuntimeException e) {
            sockets.close();
            throw e;
        }
    }

    private record BoundNode(int nodeId, LoopbackSockets sockets) {}

    private void startNode(BoundNode bound) {
        int nodeId = bound.nodeId();
        Map<NodeRole, Integer> ports = rolesOf(nodeId).stream()
                .collect(Collectors.toMap(
                        role -> role,
                        role -> role == NodeRole.BROKER ? portByBroker.getOrDefault(nodeId, 0) : controllerPort));
        NodeConfig config = new NodeConfig(
                nodeId,
                rolesOf(nodeId),
                ports,
                controllerNode(),
                controllerPort,
                settings.brokers,
                data.ofNode(nodeId),
                settings.properties);
        KafkaNode node = new KafkaNode(config, data.clusterId(), bound.sockets(), gate);
        running.put(nodeId, node);
        node.start();
    }

    private List<Integer> nodeIds() { // the controller first: brokers wait for it
        return settings.brokers == 1
                ? List.of(1)
                : IntStream.concat(IntStream.of(CONTROLLER_NODE), IntStream.rangeClosed(1, settings.brokers))
                        .boxed()
                        .toList();
    }

    private int controllerNode() {
        return settings.brokers == 1 ? 1 : CONTROLLER_NODE;
    }

    private Set<NodeRole> rolesOf(int nodeId) {
        if (settings.brokers == 1) {
            return Set.of(NodeRole.BROKER, NodeRole.CONTROLLER);
        }
        return nodeId == CONTROLLER_NODE ? Set.of(NodeRole.CONTROLLER) : Set.of(NodeRole.BROKER);
    }

    /**
     * What clients connect to.
     *
     * @return host:port of each broker, separated by commas
     * @throws IllegalStateException if the port is a free one and {@link #start} has not chosen it yet
     */
    public synchronized String bootstrapServers() {
        if (portByBroker.containsValue(0)) {
            throw new IllegalStateException("embedded Kafka has no port before its first start");
        }
        return portByBroker.values().stream()
                .map(port -> LoopbackSockets.HOST + ":" + port)
                .collect(Collectors.joining(","));
    }

    /** Stops all nodes within about two seconds, brokers first; ports and data stay. Does nothing if none runs. */
    public synchronized void stop() {
        if (!started) {
            return;
        }
        try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
            running.forEach((nodeId, node) -> {
                if (nodeId != controllerNode()) {
                    together.execute(node::stop);
                }
            });
        }
        Optional.ofNullable(running.get(controllerNode())).ifPresent(KafkaNode::stop);
        running.clear();
        data.release();
        started = false;
    }

    /** As an operator would restart the cluster: clients see it go and come back on the same ports, with its data. */
    public synchronized void restart() {
        stop();
        start();
    }

    /**
     * Stops one broker; the others take over what it led. The only broker takes the cluster's metadata with it. Does
     * nothing if it is stopped.
     *
     * @param broker 1 to the number of brokers
     */
    public synchronized void stopBroker(int broker) {
        checkBroker(broker);
        Optional.ofNullable(running.remove(broker)).ifPresent(KafkaNode::stop);
    }

    /**
     * Starts a broker that {@link #stopBroker} has stopped, on the same port; does nothing if it runs.
     *
     * @throws PortTakenException if another process took its port meanwhile
     */
    public synchronized void startBroker(int broker) {
        checkBroker(broker);
        if (!running.containsKey(broker)) {
            startNode(bind(broker));
        }
    }

    /**
     * All brokers go on accepting connections and requests but answer none: clients run into their own timeouts, and
     * nothing tells them that something is wrong. Members of groups miss their heartbeats and are removed meanwhile.
     */
    public synchronized void pause() {
        running.values().forEach(KafkaNode::pause);
    }

    /** As {@link #pause()}, for one broker; the others still believe it is well. */
    public synchronized void pauseBroker(int broker) {
        running(broker).pause();
    }

    /** Brokers answer again, beginning with what was asked meanwhile; clients may have given up on it. */
    public synchronized void resume() {
        running.values().forEach(KafkaNode::resume);
    }

    private KafkaNode running(int broker) {
        checkBroker(broker);
        return Optional.ofNullable(running.get(broker))
                .orElseThrow(() -> new IllegalStateException("broker " + broker + " does not run"));
    }

    private void checkBroker(int broker) {
        if (!started || !portByBroker.containsKey(broker)) {
            throw new IllegalArgumentException(
                    started
                            ? "there is no broker " + broker + " but 1 to " + settings.brokers
                            : "embedded Kafka is not started");
        }
    }

    /**
     * Each append that touches one of these topics fails with this error, and nothing of it is written. Holds over
     * restarts until {@link #allowAppends}; a second call replaces the first. The kind of error decides what a producer
     * does: it retries one such as {@code KafkaStorageException} and gives up on {@code TopicAuthorizationException}.
     *
     * @param topics which topics, by name; internal ones are not written by requests and so never fail
     */
    public void refuseAppends(Predicate<String> topics, ApiException error) {
        gate.refuseAppends(topics, error);
    }

    /** Ends {@link #refuseAppends}. */
    public void allowAppends() {
        gate.allowAppends();
    }

    /** How many appends were refused so far, so that a test can prove that its fault has happened. */
    public long refusedAppends() {
        return gate.refusedAppends();
    }

    /**
     * The network between these clients and all brokers is gone: their requests are lost, and none is answered. Holds until
     * {@link #reconnect}; a second call replaces the first. A client notices when its own patience is over.
     *
     * @param clientIds which clients, by the {@code client.id} that they send
     */
    public void cutOff(Predicate<String> clientIds) {
        gate.cutOff(clientIds);
    }

    /** Ends {@link #cutOff}. */
    public void reconnect() {
        gate.cutOff(clientId -> false);
    }

    /** How many requests were lost so far, so that a test can prove that its fault has happened. */
    public long lostRequests() {
        return gate.swallowedRequests();
    }

    /** Stops all nodes and deletes the data folder if it was a temporary one. */
    @Override
    public synchronized void close() {
        stop();
        if (settings.dataFolder.isEmpty()) {
            data.delete();
        }
    }

    /** How the cluster shall be; every setting has a default. */
    public static final class Builder {
        private final Map<String, String> properties = new HashMap<>();
        private int port;
        private int brokers = 1;
        private Optional<Path> dataFolder = Optional.empty();

        private Builder() {}

        /**
         * Where the first broker listens; further brokers take the ports after it.
         *
         * @param port 0, the default, for free ones
         */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /**
         * How many brokers there are. With three, topics get three replicas of which two must be in sync.
         *
         * @param brokers 1, the default, to 9
         */
        public Builder brokers(int brokers) {
            if (brokers < 1 || brokers > 9) {
                throw new IllegalArgumentException("brokers must be 1 to 9 but is " + brokers);
            }
            this.brokers = brokers;
            return this;
        }

        /** Keeps the data here. The default is a temporary folder that {@link EmbeddedKafka#close} deletes. */
        public Builder dataFolder(Path folder) {
            this.dataFolder = Optional.of(folder);
            return this;
        }

        /** A setting of Kafka's own for every node, such as {@code log.retention.ms}; it wins over ours. */
        public Builder property(String name, String value) {
            properties.put(name, value);
            return this;
        }

        /** Nothing is started or created yet, except for the temporary folder if no other was given. */
        public EmbeddedKafka build() {
            return new EmbeddedKafka(this, new DataFolder(dataFolder.orElseGet(() -> TemporaryFolder.create("kafka"))));
        }
    }
}
