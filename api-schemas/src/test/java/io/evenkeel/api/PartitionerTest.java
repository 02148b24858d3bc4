package io.evenkeel.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PartitionerTest {
    /** These never change: a key that moved would be handled by two workers. */
    @Test
    void theseKeysLieOnThesePartitionsForEver() {
        assertThat(Partitioner.partition(new ObjectKey("eu-1", "apps", "Deployment", "shop", "web"), 12))
                .isEqualTo(9);
        assertThat(Partitioner.partition(new ObjectKey("eu-1", "", "Namespace", "", "shop"), 12))
                .isEqualTo(6);
        assertThat(Partitioner.partition(new ShardKey("eu-1", "apps", "deployments"), 12))
                .isEqualTo(2);
    }

    @Test
    void givenObjectsOfOneNameAndNamespace_thenTheirKindDoesNotPartThem() {
        for (int i = 0; i < 200; i++) {
            var primary = new ObjectKey("eu-1", "cache.example.com", "Memcached", "shop", "m" + i);
            var child = new ObjectKey("eu-1", "apps", "Deployment", "shop", "m" + i);
            assertThat(Partitioner.partition(primary, 12)).isEqualTo(Partitioner.partition(child, 12));
        }
    }

    @Test
    void givenManyKeys_thenEveryPartitionGetsItsShare() {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int i = 0; i < 12_000; i++) {
            counts.merge(Partitioner.partition(new ObjectKey("eu-1", "", "Pod", "shop", "p" + i), 12), 1, Integer::sum);
        }
        assertThat(counts).hasSize(12);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
    }

    @Test
    void givenNoPartitions_thenItIsRefused() {
        assertThatThrownBy(() -> Partitioner.partition(new ShardKey("c", "", "pods"), 0))
                .hasMessageContaining("partitions must be 1 or more but is 0");
    }
}
