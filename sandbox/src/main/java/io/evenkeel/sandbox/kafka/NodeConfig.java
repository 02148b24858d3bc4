package io.evenkeel.sandbox.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings of one node, complete enough to be written as a {@code server.properties}.
 *
 * @param nodeId unique in the cluster
 * @param roles what the node does; not empty
 * @param portByRole where it listens, for each of its roles
 * @param controllerNodeId the node that holds the cluster's metadata
 * @param controllerPort where that node listens for the others
 * @param brokers how many brokers the cluster has
 * @param dataFolder where the node keeps its logs
 * @param extra settings of the caller; they win over ours
 */
record NodeConfig(
        int nodeId,
        Set<NodeRole> roles,
        Map<NodeRole, Integer> portByRole,
        int controllerNodeId,
        int controllerPort,
        int brokers,
        Path dataFolder,
        Map<String, String> extra) {

    NodeConfig {
        roles = Set.copyOf(roles);
        portByRole = Map.copyOf(portByRole);
        extra = Map.copyOf(extra);
    }

    Properties properties() {
        Properties properties = new Properties();
        identity(properties);
        internalTopics(properties);
        promptness(properties);
        thrift(properties);
        properties.putAll(extra);
        return properties;
    }

    private void identity(Properties properties) {
        properties.put("node.id", Integer.toString(nodeId));
        properties.put(
                "process.roles",
                roles.stream().map(NodeRole::configName).sorted().collect(Collectors.joining(",")));
        properties.put(
                "listeners",
                roles.stream()
                        .sorted()
                        .map(role -> role.listener() + "://" + LoopbackSockets.HOST + ":" + portByRole.get(role))
                        .collect(Collectors.joining(",")));
        properties.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put("controller.listener.names", NodeRole.CONTROLLER.listener());
        properties.put("inter.broker.listener.name", NodeRole.BROKER.listener());
        properties.put(
                "controller.quorum.voters", controllerNodeId + "@" + LoopbackSockets.HOST + ":" + controllerPort);
        properties.put("log.dirs", dataFolder.toString());
        // a mistyped topic shall be an error, not a new topic
        properties.put("auto.create.topics.enable", "false");
    }

    private void internalTopics(Properties properties) {
        String replicas = Integer.toString(Math.min(brokers, 3));
        String inSync = brokers >= 3 ? "2" : "1";
        properties.put("default.replication.factor", replicas);
        properties.put("min.insync.replicas", inSync);
        properties.put("offsets.topic.replication.factor", replicas);
        properties.put("offsets.topic.num.partitions", "4");
        properties.put("transaction.state.log.replication.factor", replicas);
        properties.put("transaction.state.log.min.isr", inSync);
        properties.put("transaction.state.log.num.partitions", "4");
        properties.put("share.coordinator.state.topic.replication.factor", replicas);
        properties.put("share.coordinator.state.topic.min.isr", inSync);
        properties.put("share.coordinator.state.topic.num.partitions", "2");
    }

    /** Kafka's defaults spare a large network; here nobody shall wait for a timer, and a test may ask for short ones. */
    private static void promptness(Properties properties) {
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("group.min.session.timeout.ms", "500");
        for (String protocol : Set.of("consumer", "streams", "share")) {
            properties.put("group." + protocol + ".min.heartbeat.interval.ms", "200");
            properties.put("group." + protocol + ".heartbeat.interval.ms", "500");
            properties.put("group." + protocol + ".min.session.timeout.ms", "500");
            properties.put("group." + protocol + ".assignment.interval.ms", "0");
        }
        properties.put("group.streams.initial.rebalance.delay.ms", "0");
        properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
        // A broker that was killed is refused as a duplicate until its old session has run out.
        properties.put("broker.heartbeat.interval.ms", "300");
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("log.cleaner.backoff.ms", "500");
        properties.put("server.max.startup.time.ms", "60000");
    }

    /** One machine, few clients: small pools and buffers. The cleaner alone would take 128 MiB. */
    private static void thrift(Properties properties) {
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "4");
        properties.put("background.threads", "2");
        properties.put("group.coordinator.threads", "2");
        properties.put("log.cleaner.dedupe.buffer.size", "4194304");
        properties.put("log.cleaner.io.buffer.size", "131072");
        properties.put("log.index.size.max.bytes", "2097152");
    }
}
