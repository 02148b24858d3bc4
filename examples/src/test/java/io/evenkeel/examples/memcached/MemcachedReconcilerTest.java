package io.evenkeel.examples.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.reconciler.Conditions;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.testkit.ReconcilerTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The operator as its author would test it; and what a test can play: failures, requeues, a timetable. */
class MemcachedReconcilerTest {
    @Test
    void givenAMemcached_whenItsDeploymentBecomesReady_thenItsStatusSaysSoAndNothingIsWrittenTwice() {
        try (var test = ReconcilerTest.of(MemcachedReconciler.worker())) {
            test.apply(memcached(2));
            assertThat(test.get(Service.class, "default", "sessions")).isPresent();
            assertThat(ready(test)).isEqualTo("False");

            becomeReady(test, 2);
            assertThat(ready(test)).isEqualTo("True");
            int writes = test.writes();
            test.pass(Duration.ofDays(1));
            assertThat(test.writes()).isEqualTo(writes);

            test.apply(memcached(3));
            assertThat(test.get(Deployment.class, "default", "sessions")
                            .orElseThrow()
                            .getSpec()
                            .getReplicas())
                    .isEqualTo(3);
            test.client()
                    .apps()
                    .deployments()
                    .inNamespace("default")
                    .withName("sessions")
                    .delete();
            test.settle();
            assertThat(test.get(Deployment.class, "default", "sessions"))
                    .as("it comes back")
                    .isPresent();
        }
    }

    @Test
    void givenAHandlerThatFails_whenTimePasses_thenItIsRetriedWithBackoffParkedAndHealedByAChange() {
        List<String> seen = new ArrayList<>();
        var worker = Worker.named("failing").reconcile(ConfigMap.class).with((map, context) -> {
            String mood = map.getData().getOrDefault("mood", "");
            seen.add(mood + " #" + context.attempt());
            if (mood.equals("bad")) {
                throw new IllegalStateException("bad mood");
            }
            return Outcome.done();
        });
        try (var test = ReconcilerTest.of(worker)) {
            test.apply(mood("bad"));
            assertThat(seen).containsExactly("bad #1");
            test.pass(Duration.ofMillis(99));
            assertThat(seen).hasSize(1);
            test.pass(Duration.ofHours(1));
            assertThat(seen).containsExactly("bad #1", "bad #2", "bad #3", "bad #4", "bad #5");
            assertThat(test.deadLetters())
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.failure().message()).isEqualTo("bad mood"));
            test.apply(mood("good"));
            assertThat(seen).endsWith("good #1");
            assertThat(test.deadLetters()).isEmpty();
        }
    }

    @Test
    void givenRequeuesAndATimetable_whenADayPasses_thenEachRunComesAtItsTime() {
        List<Duration> runs = new ArrayList<>();
        var worker = Worker.named("timed")
                .reconcile(ConfigMap.class)
                .schedule("0 3 * * *")
                .with((map, context) -> {
                    runs.add(Duration.between(Instant.parse("2030-01-01T00:00:00Z"), context.now()));
                    return runs.size() == 1 ? Outcome.requeueAfter(Duration.ofMinutes(5)) : Outcome.done();
                });
        try (var test = ReconcilerTest.of(worker)) {
            test.apply(mood("calm"));
            test.pass(Duration.ofHours(30));
            assertThat(runs)
                    .containsExactly(Duration.ZERO, Duration.ofMinutes(5), Duration.ofHours(3), Duration.ofHours(27));
            assertThat(test.outcomes())
                    .allSatisfy(outcome -> assertThat(outcome.result()).isIn(Result.DONE, Result.REQUEUE));
        }
    }

    private static String ready(ReconcilerTest test) {
        Memcached memcached = test.get(Memcached.class, "default", "sessions").orElseThrow();
        return Conditions.of(memcached.getStatus().conditions(), memcached, Instant.EPOCH)
                .find("Ready")
                .orElseThrow()
                .getStatus();
    }

    private static void becomeReady(ReconcilerTest test, int replicas) {
        test.client()
                .apps()
                .deployments()
                .inNamespace("default")
                .withName("sessions")
                .editStatus(deployment -> {
                    deployment.getStatus().setReadyReplicas(replicas);
                    deployment.getStatus().setReplicas(replicas);
                    deployment
                            .getStatus()
                            .setObservedGeneration(deployment.getMetadata().getGeneration());
                    return deployment;
                });
        test.settle();
    }

    private static Memcached memcached(int replicas) {
        var memcached = new Memcached();
        memcached.setMetadata(new ObjectMetaBuilder()
                .withName("sessions")
                .withNamespace("default")
                .build());
        memcached.setSpec(new Memcached.Spec(replicas, null));
        return memcached;
    }

    private static ConfigMap mood(String mood) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("mood")
                .withNamespace("default")
                .endMetadata()
                .addToData("mood", mood)
                .build();
    }
}
