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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
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
    private final Map<String, String> lastHandledBy = new ConcurrentHashMap<>();
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

    /** A process with a name that restarts within the session finds its partitions as it left them. */
    @Test
    void givenWorkersWithNames_whenOneRestarts_thenNobodyElseTookItsKeysMeanwhile(@TempDir Path folder)
            throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start()) {
            WorkerSetting setting = WorkerSetting.on(broker.bootstrapServers(), "named.", 4, folder);
            WorkerProcess second = worker("second").start(named(setting, folder, "b"));
            try (var log = new ObjectLog(setting.kafka(), setting.layout());
                    WorkerProcess first = worker("first").start(named(setting, folder, "a"))) {
                await().atMost(SOON).until(() -> first.isReady() && second.isReady());
                awaitSpread(log);
                Map<String, String> before = Map.copyOf(lastHandledBy);
                assertThat(before.values()).contains("first", "second");

                second.close();
                assertThat(members(setting)).as("it is expected back").containsExactlyInAnyOrder("a", "b");
                putAll(log, 100);
                await().atMost(SOON)
                        .untilAsserted(() -> before.forEach((name, by) -> {
                            if (by.equals("first")) {
                                assertThat(handled).as(name).containsEntry(name, 100L);
                            }
                        }));
                try (WorkerProcess again = worker("second again").start(named(setting, folder, "b"))) {
                    await().atMost(SOON).until(() -> isHandled(100));
                    assertThat(again.deadBecause()).isEmpty();
                    before.forEach((name, by) -> assertThat(lastHandledBy)
                            .as(name)
                            .containsEntry(name, by.equals("first") ? "first" : "second again"));
                }
            } finally {
                second.close();
            }
        }
    }

    private static List<String> members(WorkerSetting setting) throws Exception {
        String group = setting.layout().prefix() + "pair";
        try (Admin admin = Admin.create(setting.kafka().with(Map.of()))) {
            return admin
                    .describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .values()
                    .iterator()
                    .next()
                    .members()
                    .stream()
                    .map(member -> member.groupInstanceId().orElse("unnamed").replaceAll("-[0-9]+$", ""))
                    .toList();
        }
    }

    private static WorkerConfig named(WorkerSetting setting, Path folder, String instance) {
        return setting.config()
                .withStateDir(folder.resolve(instance))
                .withGroup(new GroupSettings(Duration.ofSeconds(60), 0, Optional.of(instance)));
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
                lastHandledBy.put(name, process);
                handled.merge(name, widget.getMetadata().getGeneration(), Math::max);
            } finally {
                busy.remove(name);
            }
            return Outcome.done();
        });
    }
}
