package io.evenkeel.sandbox.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.KafkaRequestHandlerPoolFactory;
import kafka.server.SharedServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * One running node: the parts of Kafka's own {@code KafkaRaftServer}, put together here so that they take our sockets
 * and our fault handlers. From construction to {@link #stop} it is started; not thread-safe.
 */
final class KafkaNode {
    private static final Logger log = LoggerFactory.getLogger(KafkaNode.class);

    /** Kafka would wait five minutes for other brokers to take over; in a small cluster they do so at once or never. */
    private static final Duration LONGEST_HANDOVER = Duration.ofMillis(1500);

    private final Hold hold = new Hold();
    private final LoopbackSockets sockets;
    private final Optional<ControllerServer> controller;
    private final Optional<BrokerServer> broker;

    /**
     * Formats the data folder if it is new. Nothing runs yet.
     *
     * @param clusterId what a new folder is formatted with
     * @param sockets bound for each of the node's roles; closed by {@link #stop}
     * @param gate sees each request to the broker first
     */
    KafkaNode(NodeConfig nodeConfig, String clusterId, LoopbackSockets sockets, RequestGate gate) {
        KafkaExit.endsNoJvm();
        this.sockets = sockets;
        format(nodeConfig, clusterId);
        KafkaConfig config = KafkaConfig.fromProps(nodeConfig.properties(), false);
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> folders =
                KafkaRaftServer.initializeLogDirs(config, log, "[node " + nodeConfig.nodeId() + "] ");
        QuorumConfig quorum = config.quorumConfig();
        SharedServer shared =
                new SharedServer(
                        config,
                        folders._1(),
                        Time.SYSTEM,
                        new Metrics(),
                        CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())),
                        List.of(),
                        new RecordedFaults(),
                        sockets) {
                    private final KafkaRequestHandlerPoolFactory pools =
                            gate.inFrontOf(hold, KafkaNode.this::topicName);

                    @Override
                    public KafkaRequestHandlerPoolFactory requestHandlerPoolFactory() {
                        return pools;
                    }
                };
        controller = nodeConfig.roles().contains(NodeRole.CONTROLLER)
                ? Optional.of(new ControllerServer(shared, KafkaRaftServer.configSchema(), folders._2()))
                : Optional.empty();
        broker =
                nodeConfig.roles().contains(NodeRole.BROKER) ? Optional.of(new BrokerServer(shared)) : Optional.empty();
    }

    private Optional<String> topicName(Uuid id) {
        return broker.flatMap(server -> server.metadataCache().getTopicName(id));
    }

    private static void format(NodeConfig config, String clusterId) {
        try {
            Files.createDirectories(config.dataFolder());
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(config.nodeId())
                    .setClusterId(clusterId)
                    .setControllerListenerName(NodeRole.CONTROLLER.listener())
                    .setMetadataLogDirectory(config.dataFolder().toString())
                    .addDirectory(config.dataFolder().toString())
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setIgnoreFormatted(true)
                    .run();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare " + config.dataFolder() + " for Kafka", e);
        } catch (Exception e) { // the signature of Formatter.run
            throw new IllegalStateException("cannot format " + config.dataFolder() + " for Kafka", e);
        }
    }

    /** Returns when the node answers clients. */
    void start() {
        controller.ifPresent(ControllerServer::startup);
        broker.ifPresent(BrokerServer::startup);
    }

    /** Stops in order: a broker hands over what it leads, flushes and closes its logs. Safe after a failed start. */
    void stop() {
        resume(); // a request that is held would hold up the way down
        broker.ifPresent(server -> server.shutdown(LONGEST_HANDOVER));
        controller.ifPresent(ControllerServer::shutdown);
        sockets.close();
    }

    /** Connections are accepted and requests are read, but none that comes now is answered until {@link #resume}. */
    void pause() {
        hold.close();
    }

    void resume() {
        hold.open();
    }
}
