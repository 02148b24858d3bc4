package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.worker.harness.Widget;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private static final Instant NOON = Instant.parse("2026-12-01T12:00:00.789Z");

    @Test
    void givenAConditionThatKeepsItsStatus_whenSetAgain_thenOnlyItsTransitionTimeStays() {
        Conditions first = Conditions.of(null, widget(1), NOON).with("Ready", false, "Starting", "0 of 3");
        Conditions second = Conditions.of(first.list(), widget(2), NOON.plus(Duration.ofMinutes(1)))
                .with("Ready", false, "Scaling", "2 of 3");
        Conditions third = Conditions.of(second.list(), widget(2), NOON.plus(Duration.ofMinutes(2)))
                .with("Ready", true, "AllReady", "3 of 3");

        assertThat(second.list()).singleElement().satisfies(condition -> {
            assertThat(condition.getLastTransitionTime()).isEqualTo("2026-12-01T12:00:00Z");
            assertThat(condition.getReason()).isEqualTo("Scaling");
            assertThat(condition.getMessage()).isEqualTo("2 of 3");
            assertThat(condition.getObservedGeneration()).isEqualTo(2);
        });
        assertThat(third.list().getFirst().getLastTransitionTime()).isEqualTo("2026-12-01T12:02:00Z");
        assertThat(third.isTrue("Ready")).isTrue();
        assertThat(second.isTrue("Ready")).as("the former is left as it was").isFalse();
    }

    @Test
    void givenConditionsOfOthers_whenOneIsSet_thenTheyStayAsTheyAreAndInTheirOrder() {
        Condition theirs = new ConditionBuilder()
                .withType("example.com/Synced")
                .withStatus("True")
                .withReason("Theirs")
                .withLastTransitionTime("2026-01-01T00:00:00Z")
                .build();
        Conditions ours = Conditions.of(List.of(theirs, theirs), widget(1), NOON)
                .with("Ready", true, "Fine", "")
                .withUnknown("Backup", "NeverTried", "");

        assertThat(ours.list()).extracting(Condition::getType).containsExactly("example.com/Synced", "Ready", "Backup");
        assertThat(ours.list().getFirst()).isEqualTo(theirs);
        assertThat(ours.find("Backup").orElseThrow().getStatus()).isEqualTo("Unknown");
        assertThat(ours.without("Ready").list()).hasSize(2);
    }

    @Test
    void givenWhatTheApiServerWouldRefuse_whenSet_thenItIsSaid() {
        Conditions none = Conditions.of(null, widget(1), NOON);
        assertThatThrownBy(() -> none.with("Ready", true, "", ""))
                .hasMessageContaining("a condition's reason is one word");
        assertThatThrownBy(() -> none.with("Ready", true, "all is well", "")).hasMessageContaining("'all is well'");
        assertThatThrownBy(() -> none.with("is ready", true, "Fine", "")).hasMessageContaining("a condition's type");
        assertThat(none.with("Ready", true, "Fine", "x".repeat(40_000))
                        .list()
                        .getFirst()
                        .getMessage())
                .hasSize(32_768);
    }

    private static Widget widget(long generation) {
        var widget = new Widget();
        widget.setMetadata(
                new ObjectMetaBuilder().withName("w").withGeneration(generation).build());
        return widget;
    }
}
