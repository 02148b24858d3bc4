package io.evenkeel.sandbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeConfigTest {
    @Test
    void givenOneBroker_thenItListensOnLoopbackForBothRolesAndNeedsNoReplica() {
        Properties properties = new NodeConfig(
                        1,
                        Set.of(NodeRole.BROKER, NodeRole.CONTROLLER),
                        Map.of(NodeRole.BROKER, 9092, NodeRole.CONTROLLER, 20001),
                        1,
                        20001,
                        1,
                        Path.of("data"),
                        Map.of())
                .properties();

        assertThat(properties)
                .containsEntry("process.roles", "broker,controller")
                .containsEntry("listeners", "BROKER://127.0.0.1:9092,CONTROLLER://127.0.0.1:20001")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:20001")
                .containsEntry("offsets.topic.replication.factor", "1")
                .containsEntry("transaction.state.log.replication.factor", "1")
                .containsEntry("share.coordinator.state.topic.replication.factor", "1")
                .containsEntry("min.insync.replicas", "1");
    }

    @Test
    void givenOneOfThreeBrokers_thenTopicsHaveThreeReplicasOfWhichTwoAreInSync() {
        Properties properties = ofThree(Map.of()).properties();

        assertThat(properties)
                .containsEntry("process.roles", "broker")
                .containsEntry("listeners", "BROKER://127.0.0.1:9093")
                .containsEntry("controller.quorum.voters", "100@127.0.0.1:20001")
                .containsEntry("offsets.topic.replication.factor", "3")
                .containsEntry("default.replication.factor", "3")
                .containsEntry("min.insync.replicas", "2");
    }

    @Test
    void givenASettingOfTheCaller_thenItWins() {
        assertThat(ofThree(Map.of("min.insync.replicas", "3")).properties()).containsEntry("min.insync.replicas", "3");
    }

    private static NodeConfig ofThree(Map<String, String> extra) {
        return new NodeConfig(
                2, Set.of(NodeRole.BROKER), Map.of(NodeRole.BROKER, 9093), 100, 20001, 3, Path.of("data"), extra);
    }
}
