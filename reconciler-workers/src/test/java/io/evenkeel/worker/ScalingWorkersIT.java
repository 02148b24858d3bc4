package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WorkerSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many processes of one worker come and go on three brokers, while objects change. */
class ScalingWorkersIT {
    private static final int KEYS = 64;
    private static final int MOST_WORKERS = 8;
    private static final Duration SOON = Duration.ofSeconds(90);

    private final Map<String, Integer> busy = new ConcurrentHashMap<>();
    private final Map<String, Long> handled = new ConcurrentHashMap<>();
    private final Set<Integer> active = ConcurrentHashMap.newKeySet();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger generation = new AtomicInteger();
    private final Deque<WorkerProcess> workers = new ArrayDeque<>();
    private int started;

    @Test
    void givenOneWorker_whenItBecomesEightAndOneAgainAndABrokerIsLost_thenEachKeyIsHandledOnceAtATimeToItsEnd(
            @TempDir Path folder) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().brokers(3).build().start()) {
            var layout = new TopicLayout("many.", MOST_WORKERS, 1, (short) 3, (short) 2);
            KafkaSettings settings = KafkaSettings.at(kafka.bootstrapServers());
            try (var topics = new TopicAdmin(settings, layout)) {
                topics.apply();
            }
            try (var log = new ObjectLog(settings, layout)) {
                start(kafka, layout, folder);
                changeAndSettle(log);
                while (workers.size() < MOST_WORKERS) {
                    start(kafka, layout, folder);
                    change(log);
                }
                awaitShared(log);

                kafka.stopBroker(1);
                changeAndSettle(log);
                kafka.startBroker(1);

                for (int i = 0; i < 2; i++) { // a rolling update: a new one for an old one
                    start(kafka, layout, folder);
                    change(log);
                    workers.removeFirst().close();
                    change(log);
                }
                while (workers.size() > 1) {
                    workers.removeFirst().close();
                    change(log);
                }
                changeAndSettle(log);
                assertThat(overlaps).as("two attempts on one key at one time").hasValue(0);
                assertThat(workers.getFirst().deadBecause()).isEmpty();
            }
        } finally {
            workers.forEach(WorkerProcess::close);
        }
    }

    private void start(EmbeddedKafka kafka, TopicLayout layout, Path folder) {
        int number = started++;
        workers.addLast(worker(number)
                .start(WorkerSetting.of(kafka.bootstrapServers(), layout, folder)
                        .config()
                        .withStateDir(folder.resolve("worker-" + number))));
    }

    /** Until each of them has had a key. */
    private void awaitShared(ObjectLog log) {
        active.clear();
        await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(() -> {
            change(log);
            return active.size() == MOST_WORKERS;
        });
    }

    private void changeAndSettle(ObjectLog log) {
        long newest = change(log);
        await().atMost(SOON)
                .until(() -> handled.size() == KEYS && handled.values().stream().allMatch(last -> last == newest));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the flush waits for them
    private long change(ObjectLog log) {
        int next = generation.incrementAndGet();
        for (int i = 0; i < KEYS; i++) {
            log.put("w" + i, next, next);
        }
        log.flush();
        return next;
    }

    private Worker worker(int number) {
        return Worker.named("crew").reconcile(Widget.class).with((widget, context) -> {
            String name = widget.getMetadata().getName();
            if (busy.putIfAbsent(name, number) != null) {
                overlaps.incrementAndGet();
            }
            try {
                active.add(number);
                // Work that takes its time, so that two handlers at once on one key would overlap.
                Thread.sleep(10);
                handled.merge(name, widget.getMetadata().getGeneration(), Math::max);
            } finally {
                busy.remove(name);
            }
            return Outcome.done();
        });
    }
}
