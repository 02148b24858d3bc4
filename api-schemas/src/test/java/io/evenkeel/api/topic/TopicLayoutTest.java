package io.evenkeel.api.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.record.RetryTier;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class TopicLayoutTest {
    private final TopicLayout layout = new TopicLayout("evenkeel.", 12, 6, (short) 3, (short) 2);

    @Test
    void topicsSpreadByObjectHaveTheSameNumberOfPartitions() {
        Map<String, Integer> partitions =
                layout.specs().stream().collect(Collectors.toMap(TopicSpec::name, TopicSpec::partitions));

        assertThat(partitions)
                .containsEntry("evenkeel.events", 12)
                .containsEntry("evenkeel.objects", 12)
                .containsEntry("evenkeel.requests", 12)
                .containsEntry("evenkeel.outcomes", 12)
                .containsEntry("evenkeel.retry-100ms", 12)
                .containsEntry("evenkeel.retry-1h", 12)
                .containsEntry("evenkeel.dead-letters", 12)
                .containsEntry("evenkeel.watch-state", 6)
                .containsEntry("evenkeel.audit", 1)
                .containsEntry("evenkeel.watch-status", 1)
                .hasSize(Topic.values().length);
    }

    @Test
    void givenTopicsAsWanted_thenThereIsNoDifference() {
        assertThat(TopicDifference.between(layout.specs(), found(layout.specs())))
                .isEmpty();
    }

    @Test
    void givenOtherTopics_thenEachDifferenceSaysWhatToDo() {
        Map<String, TopicSpec> found = found(layout.specs());
        found.remove("evenkeel.audit");
        found.put("evenkeel.events", new TopicSpec("evenkeel.events", 8, (short) 3, settings("evenkeel.events")));
        found.put(
                "evenkeel.requests", new TopicSpec("evenkeel.requests", 12, (short) 1, settings("evenkeel.requests")));
        Map<String, String> deleting = new HashMap<>(settings("evenkeel.objects"));
        deleting.put("cleanup.policy", "delete");
        found.put("evenkeel.objects", new TopicSpec("evenkeel.objects", 12, (short) 3, deleting));

        List<TopicDifference> differences = TopicDifference.between(layout.specs(), found);

        assertThat(differences)
                .extracting(TopicDifference::message)
                .satisfiesExactlyInAnyOrder(
                        message -> assertThat(message).contains("evenkeel.audit does not exist", "topics apply"),
                        message -> assertThat(message).contains("evenkeel.events has 8 partitions but 12"),
                        message -> assertThat(message).contains("evenkeel.requests has 1 replicas", "is 2"),
                        message -> assertThat(message).contains("cleanup.policy=delete but it should be compact"));
        assertThat(differences.stream().filter(TopicDifference::repairable).map(TopicDifference::topic))
                .containsExactlyInAnyOrder("evenkeel.audit", "evenkeel.objects");
    }

    @ParameterizedTest
    @CsvSource({
        "'a b',12,12,1,1,topics.prefix",
        "x.,0,12,1,1,topics.partitions must be 1 to 10000 but is 0",
        "x.,12,0,1,1,topics.watch-state-partitions",
        "x.,12,12,11,1,topics.replication-factor",
        "x.,12,12,2,3,topics.min-insync-replicas"
    })
    void givenSettingOutOfRange_thenTheErrorNamesIt(
            String prefix, int partitions, int watchState, short replicas, short inSync, String message) {
        assertThatThrownBy(() -> new TopicLayout(prefix, partitions, watchState, replicas, inSync))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @EnumSource(RetryTier.class)
    void everyTierHasItsTopic(RetryTier tier) {
        assertThat(Topic.retry(tier).suffix()).isEqualTo("retry-" + tier.label());
    }

    @ParameterizedTest
    @CsvSource({
        "-5,100ms",
        "0,100ms",
        "99,100ms",
        "100,100ms",
        "499,100ms",
        "500,500ms",
        "1999,500ms",
        "2000,2s",
        "9999,2s",
        "25000,10s",
        "60000,1m",
        "600000,10m",
        "3599999,10m",
        "3600000,1h",
        "86400000,1h"
    })
    void aRecordLiesOnTheLargestTierThatIsNotLongerThanTheDelay(long millis, String tier) {
        assertThat(RetryTier.forDelay(Duration.ofMillis(millis)).label()).isEqualTo(tier);
    }

    private Map<String, String> settings(String topic) {
        return layout.specs().stream()
                .filter(spec -> spec.name().equals(topic))
                .findFirst()
                .orElseThrow()
                .settings();
    }

    private static Map<String, TopicSpec> found(List<TopicSpec> specs) {
        return new HashMap<>(specs.stream().collect(Collectors.toMap(TopicSpec::name, spec -> spec)));
    }
}
