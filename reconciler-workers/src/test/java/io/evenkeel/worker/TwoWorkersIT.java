package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WorkerSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of one worker. */
class TwoWorkersIT {
    private static final int KEYS = 60;
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Who handles what at this moment, over both processes, and what was handled last. */
    private final Map<String, String> busy = new ConcurrentHashMap<>();

    private final Map<String, Long> handled = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> keysByWorker = new ConcurrentHashMap<>();
    private final AtomicInteger overlaps = new AtomicInteger();

    @Test
    void givenTwoWorkers_whenOneStops_thenKeysWereSpreadAndTheOtherTakesOver(@TempDir Path folder) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start()) {
            WorkerSetting setting = WorkerSetting.on(broker.bootstrapServers(), "two.", 4, folder);
            WorkerProcess second = worker("second").start(setting.config().withStateDir(folder.resolve("second")));
            try (var log = new ObjectLog(setting.kafka(), setting.layout());
                    WorkerProcess first =
                            worker("first").start(setting.config().withStateDir(folder.resolve("first")))) {
                await().atMost(SOON).until(() -> first.isReady() && second.isReady());
                awaitSpread(log);

                putAll(log, 100);
                second.close();
                putAll(log, 101);
                await().atMost(SOON).until(() -> isHandled(101));
                assertThat(overlaps).as("two attempts on one key at one time").hasValue(0);
                assertThat(first.deadBecause()).isEmpty();
            } finally {
                second.close();
            }
        }
    }

    /** Goes on writing until both have had keys: the first of them may have begun alone. */
    private void awaitSpread(ObjectLog log) {
        var generation = new AtomicInteger();
        await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(() -> {
            putAll(log, generation.incrementAndGet());
            return keysByWorker.size() == 2;
        });
        await().atMost(SOON).until(() -> isHandled(generation.get()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the flush waits for them
    private static void putAll(ObjectLog log, int generation) {
        for (int i = 0; i < KEYS; i++) {
            log.put("w" + i, generation, generation);
        }
        log.flush();
    }

    private boolean isHandled(long generation) {
        return handled.size() == KEYS && handled.values().stream().allMatch(last -> last == generation);
    }

    private Worker worker(String process) {
        return Worker.named("pair").reconcile(Widget.class).with((widget, context) -> {
            String name = widget.getMetadata().getName();
            if (busy.putIfAbsent(name, process) != null) {
                overlaps.incrementAndGet();
            }
            try {
                keysByWorker
                        .computeIfAbsent(process, key -> ConcurrentHashMap.newKeySet())
                        .add(name);
                // Work that takes its time, so that two handlers at once on one key would overlap.
                Thread.sleep(20);
                handled.merge(name, widget.getMetadata().getGeneration(), Math::max);
            } finally {
                busy.remove(name);
            }
            return Outcome.done();
        });
    }
}
