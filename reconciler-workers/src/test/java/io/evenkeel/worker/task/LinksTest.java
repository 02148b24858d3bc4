package io.evenkeel.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Filter;
import io.evenkeel.reconciler.Link;
import io.evenkeel.reconciler.ObjectName;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.worker.harness.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Which changes of which objects wake which primaries, by the links and filters of a controller. */
class LinksTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void givenALabelThatNamesThePrimary_whenTheSecondaryChangesItsLabel_thenTheOldAndTheNewPrimaryRun() {
        try (TaskBench bench = bench(controller -> controller.watching(Secret.class, Link.label("app")))) {
            appear(bench, "a", "b");
            bench.putSecret("s", "\"labels\":{\"app\":\"a\"}");
            settle(bench);
            assertThat(seen).containsExactly("a sees [s]");
            seen.clear();
            bench.putSecret("s", "\"labels\":{\"app\":\"b\"}");
            settle(bench);
            assertThat(seen).containsExactlyInAnyOrder("a sees []", "b sees [s]");
            seen.clear();
            bench.putSecret("s", "\"labels\":{}");
            settle(bench);
            assertThat(seen).containsExactly("b sees []");
        }
    }

    @Test
    void givenAnAnnotationThatNamesManyPrimaries_whenTheSecondaryChanges_thenAllOfThemRun() {
        try (TaskBench bench = bench(controller -> controller.watching(Secret.class, Link.annotation("for")))) {
            appear(bench, "a", "b", "c");
            bench.putSecret("s", "\"annotations\":{\"for\":\"a, default/c, ,other/b,/\"}");
            settle(bench);
            assertThat(seen).containsExactlyInAnyOrder("a sees [s]", "c sees [s]");
        }
    }

    @Test
    void givenAFunctionOfTheSecondary_whenItThrows_thenWhatWasKnownIsKept() {
        Link<Widget, Secret> byPrefix = Link.from(secret -> {
            if (!secret.getMetadata().getLabels().isEmpty()) {
                throw new IllegalStateException("broken link");
            }
            return List.of(
                    new ObjectName("default", secret.getMetadata().getName().substring(0, 1)));
        });
        try (TaskBench bench = bench(controller -> controller.watching(Secret.class, byPrefix))) {
            appear(bench, "a");
            bench.putSecret("a-secret", "\"annotations\":{}");
            settle(bench);
            assertThat(seen).containsExactly("a sees [a-secret]");
            bench.putSecret("a-secret", "\"labels\":{\"x\":\"y\"}");
            settle(bench);
            assertThat(seen).containsExactly("a sees [a-secret]", "a sees [a-secret]");
        }
    }

    @Test
    void givenPrimariesThatNameASecondary_whenItComesChangesAndGoes_thenTheyRunUntilTheyNameItNoMore() {
        Link<Widget, Secret> named = Link.namedBy(widget -> Optional.ofNullable(
                        widget.getMetadata().getAnnotations().get("uses"))
                .map(name -> List.of(new ObjectName("default", name)))
                .orElse(List.of()));
        try (TaskBench bench = bench(controller -> controller.watching(Secret.class, named))) {
            bench.putWidget("a", 1, "\"annotations\":{\"uses\":\"s\"}");
            bench.putWidget("b", 1, "\"annotations\":{\"uses\":\"s\"}");
            settle(bench);
            assertThat(seen).containsExactly("a sees []", "b sees []");
            seen.clear();
            bench.putSecret("s", "\"labels\":{}");
            settle(bench);
            assertThat(seen).containsExactlyInAnyOrder("a sees [s]", "b sees [s]");
            seen.clear();
            bench.putWidget("a", 2, "\"annotations\":{\"uses\":\"t\"}");
            settle(bench);
            assertThat(seen).endsWith("a sees []");
            seen.clear();
            bench.putSecret("s", "\"labels\":{\"x\":\"y\"}");
            settle(bench);
            assertThat(seen).containsExactly("b sees [s]");
            seen.clear();
            bench.delete(TaskBench.secret("s"));
            settle(bench);
            assertThat(seen).containsExactly("b sees []");
            seen.clear();
            bench.putSecret("s", "\"labels\":{}");
            settle(bench);
            assertThat(seen).as("it is still named").containsExactly("b sees [s]");
        }
    }

    @Test
    void givenASecondaryThatWasThereBefore_whenAPrimaryNamesIt_thenThePrimaryIsShownIt() {
        Link<Widget, Secret> named = Link.namedBy(widget -> List.of(new ObjectName("default", "s")));
        try (TaskBench bench = bench(controller -> controller.watching(Secret.class, named))) {
            bench.putSecret("s", "\"labels\":{}");
            bench.putWidget("a", 1);
            settle(bench);
            assertThat(seen).endsWith("a sees [s]");
            seen.clear();
            bench.repeatObject();
            settle(bench);
            assertThat(seen).as("a repeated record is no news").isEmpty();
            bench.delete(TaskBench.widget("a"));
            settle(bench);
            bench.putSecret("s", "\"labels\":{\"x\":\"y\"}");
            assertThat(bench.deliverRequests()).as("nobody names it any more").isEmpty();
        }
    }

    @Test
    void givenAFilterOnThePrimary_whenAChangeDoesNotPass_thenNothingRunsAndTheNextRunSeesIt() {
        try (TaskBench bench = bench(controller -> controller.when(Filter.labelsMatch(Map.of("run", "yes"))))) {
            bench.putWidget("a", 1, "\"labels\":{\"run\":\"no\"}");
            settle(bench);
            assertThat(seen).isEmpty();
            bench.putWidget("a", 1, "\"labels\":{\"run\":\"yes\"}");
            settle(bench);
            assertThat(seen).containsExactly("a sees []");
            bench.putWidget("a", 2, "\"labels\":{\"run\":\"no\"},\"deletionTimestamp\":\"2026-11-30T09:00:00Z\"");
            assertThat(bench.runHandlers()).as("a deletion always passes").isEqualTo(1);
        }
    }

    @Test
    void givenAFilterOnASecondary_whenAChangeDoesNotPass_thenItWakesNobodyButIsSeen() {
        try (TaskBench bench = bench(controller ->
                controller.watching(Secret.class, Link.label("app"), Filter.labelsMatch(Map.of("loud", "yes"))))) {
            appear(bench, "a");
            bench.putSecret("quiet", "\"labels\":{\"app\":\"a\"}");
            settle(bench);
            assertThat(seen).isEmpty();
            bench.putSecret("shout", "\"labels\":{\"app\":\"a\",\"loud\":\"yes\"}");
            settle(bench);
            assertThat(seen).containsExactly("a sees [quiet, shout]");
        }
    }

    @Test
    void givenSpecChangesOnly_whenTheStatusChanges_thenNothingRuns() {
        try (TaskBench bench = bench(controller -> controller.when(Filter.specChanges()))) {
            appear(bench, "a");
            bench.changed(List.of("status", "metadata.annotations"));
            bench.putWidget("a", 1);
            settle(bench);
            assertThat(seen).isEmpty();
            bench.changed(List.of("spec"));
            bench.putWidget("a", 2);
            settle(bench);
            assertThat(seen).containsExactly("a sees []");
        }
    }

    private TaskBench bench(UnaryOperator<Worker.Description<Widget>> description) {
        return new TaskBench(TaskBench.Plan.of(this::note).described(description));
    }

    private Outcome note(Widget widget, Context<Widget> context) {
        Class<? extends HasMetadata> kind = seesSecrets(context) ? Secret.class : ConfigMap.class;
        seen.add(widget.getMetadata().getName() + " sees "
                + context.secondaries(kind).stream()
                        .map(secondary -> secondary.getMetadata().getName())
                        .toList());
        return Outcome.done();
    }

    private static boolean seesSecrets(Context<Widget> context) {
        try {
            context.secondaries(Secret.class);
            return true;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("secrets").hasMessageContaining("watching(");
            return false;
        }
    }

    private void appear(TaskBench bench, String... widgets) {
        for (String widget : widgets) {
            bench.putWidget(widget, 1);
        }
        settle(bench);
        seen.clear();
    }

    private static void settle(TaskBench bench) {
        do {
            while (!bench.deliverRequests().isEmpty()) {
                // one request may lead to the next
            }
        } while (ranSome(bench));
    }

    private static boolean ranSome(TaskBench bench) {
        boolean ran = bench.runHandlers() > 0;
        bench.deliverOutcomes();
        return ran;
    }
}
