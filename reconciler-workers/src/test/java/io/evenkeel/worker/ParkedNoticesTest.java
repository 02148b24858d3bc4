package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.Failure;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.worker.harness.InReach;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What users of a cluster see of a key that was parked, on a simulated API server. */
class ParkedNoticesTest {
    private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
    private static final Controller<?> CONTROLLER = Worker.named("widgets")
            .reconcile(Widget.class)
            .with((widget, context) -> Outcome.done())
            .controllers()
            .getFirst();
    private static WidgetCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = WidgetCluster.start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void givenAParkedKey_whenTold_thenThereIsAnEventAndAConditionBesideThoseOfOthers() {
        Widget widget = cluster.create("parked");
        cluster.mergeStatus("parked", "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}");

        tell(widget, DeadLetter.Reason.OUT_OF_ATTEMPTS, true);
        tell(widget, DeadLetter.Reason.OUT_OF_ATTEMPTS, true);

        assertThat(cluster.events("parked")).extracting(Event::getReason).contains("Parked");
        assertThat(conditions("parked")).hasSize(2);
        assertThat(conditions("parked").getLast())
                .containsEntry("type", "Parked")
                .containsEntry("status", "True")
                .containsEntry("reason", "OutOfAttempts")
                .containsEntry("lastTransitionTime", "2026-12-01T12:00:00Z");
        assertThat(String.valueOf(conditions("parked").getLast().get("message")))
                .contains("Last error: broken");
    }

    @Test
    void givenAnObjectThatDoesNotFit_whenTold_thenTheConditionSaysInvalid() {
        Widget widget = cluster.create("invalid");

        tell(widget, DeadLetter.Reason.INVALID_OBJECT, true);

        assertThat(conditions("invalid"))
                .singleElement()
                .satisfies(condition -> assertThat(condition)
                        .containsEntry("type", "Invalid")
                        .containsEntry("reason", "InvalidObject"));
    }

    /** It would stand there for good: nobody parks the new spec. */
    @Test
    void givenANewSpecOrALostPartition_whenTold_thenThereIsNoCondition() {
        Widget renewed = cluster.create("renewed");
        cluster.resize("renewed", 7);
        Widget lost = cluster.create("lost");

        tell(renewed, DeadLetter.Reason.OUT_OF_ATTEMPTS, true);
        tell(lost, DeadLetter.Reason.OUT_OF_ATTEMPTS, false);

        assertThat(conditions("renewed")).isEmpty();
        assertThat(conditions("lost")).isEmpty();
    }

    private static void tell(Widget widget, DeadLetter.Reason reason, boolean mayWrite) {
        var key = new ObjectKey(
                "local",
                "test.evenkeel.io",
                "Widget",
                "default",
                widget.getMetadata().getName());
        var letter = new DeadLetter(
                "widgets",
                key.toString(),
                reason,
                5,
                new Failure("java.lang.IllegalStateException", "broken", ""),
                List.of(),
                widget.getMetadata().getUid(),
                widget.getMetadata().getResourceVersion(),
                Optional.of(widget.getMetadata().getGeneration()),
                NOW,
                NOW);
        new ParkedNotices(InReach.each(cluster.api()), "worker", Runnable::run, Clock.fixed(NOW, ZoneOffset.UTC))
                .parked(CONTROLLER, letter, () -> mayWrite);
    }

    private static List<Map<String, Object>> conditions(String widget) {
        List<Map<String, Object>> found = cluster.generic(widget).get("status", "conditions");
        return found == null ? List.of() : found;
    }
}
