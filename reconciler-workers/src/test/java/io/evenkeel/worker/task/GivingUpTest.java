package io.evenkeel.worker.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.WriteRefusedException;
import io.evenkeel.worker.harness.Widget;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A partition is given up while attempts run. */
class GivingUpTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void givenARunningAttempt_whenThePartitionIsGivenUp_thenItMayComeToItsEnd() throws Exception {
        try (var bench = new TaskBench((widget, context) -> {
            begun.countDown();
            mayEnd.await();
            write(context);
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            Thread handler = bench.startHandler();
            begun.await();
            Thread closing = closing(bench);
            await().until(() -> isParked(closing));
            assertThat(seen).isEmpty();
            mayEnd.countDown();
            assertThat(closing.join(LONG)).isTrue();
            assertThat(handler.join(LONG)).isTrue();
            assertThat(seen).containsExactly("sent");
            assertThat(bench.outcomes()).extracting(AttemptOutcome::result).containsExactly(Result.DONE);
        }
    }

    @Test
    void givenAnAttemptThatOutlastsTheDrain_whenThePartitionIsGivenUp_thenItIsInterruptedAndItsWritesAreRefused()
            throws Exception {
        try (var bench = new TaskBench(TaskBench.Plan.of(this::waitForEver).drain(Duration.ZERO))) {
            bench.putWidget("a", 1);
            Thread handler = bench.startHandler();
            begun.await();
            assertThat(closing(bench).join(LONG)).isTrue();
            assertThat(handler.join(LONG)).isTrue();
            assertThat(seen).containsExactly("interrupted", "this worker has given the object away");
            assertThat(bench.outcomes()).extracting(AttemptOutcome::result).containsExactly(Result.INTERRUPTED);
        }
    }

    @Test
    void givenKeysThatWait_whenThePartitionIsGivenUp_thenNoneOfThemBegins() throws Exception {
        try (var bench = new TaskBench(TaskBench.Plan.of((widget, context) -> {
                    seen.add(widget.getMetadata().getName());
                    begun.countDown();
                    mayEnd.await();
                    return Outcome.done();
                })
                .concurrency(1))) {
            bench.putWidget("a", 1);
            bench.putWidget("b", 1);
            Thread handler = bench.startHandler();
            begun.await();
            Thread closing = closing(bench);
            await().until(() -> isParked(closing));
            mayEnd.countDown();
            assertThat(closing.join(LONG)).isTrue();
            assertThat(handler.join(LONG)).isTrue();
            assertThat(bench.runHandlers()).isZero();
            assertThat(seen).containsExactly("a");
            assertThat(bench.permitsInUse()).as("left for other partitions").isZero();
        }
    }

    private Outcome waitForEver(Widget widget, Context<Widget> context) throws InterruptedException {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            seen.add("interrupted");
        }
        write(context);
        return Outcome.done();
    }

    /** There is no API server: a write that is let through fails. */
    private void write(Context<Widget> context) {
        var child = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("child")
                .endMetadata()
                .build();
        try {
            context.apply(child);
        } catch (KubernetesClientException e) {
            seen.add("sent");
        } catch (WriteRefusedException e) {
            seen.add(String.valueOf(e.getMessage()));
        }
    }

    private static Thread closing(TaskBench bench) {
        return Thread.ofPlatform().start(bench::close);
    }

    private static boolean isParked(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }
}
