package io.evenkeel.cli.bench.work;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.bench.work.WorkerSpec.Handling;
import io.evenkeel.sandbox.process.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What happens to workers in processes of their own. */
final class WorkProcesses {
    private static final int PARTITIONS = 8;
    private static final int SLEEP_MILLIS = 20;

    /** So small that one process is not held up by the processors but by its handlers. */
    private static final int SCALE_CONCURRENCY = 50;

    private static final int STORM_CHANGES = 900;
    private static final int STORM_CHANGES_PER_SECOND = 20;
    private static final int CHANGES_BEFORE_RESTART = 200;
    private static final int PROBES_PER_SECOND = 10;
    private static final Duration CALM = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final double MICROS_PER_SECOND = 1e6;

    private final WorkWorld world;

    WorkProcesses(WorkWorld world) {
        this.world = world;
    }

    /** What a process with all keys takes, in MiB. */
    record Memory(long heapMib, long residentMib) {}

    Memory memory(int keys) {
        TopicLayout layout = filled("memory", keys);
        try (ChildProcess process = world.process(world.spec(layout, keys, 0, Handling.NOTHING), "2g")) {
            String[] said = handled(process).split(" ", -1);
            return new Memory(Long.parseLong(said[1]), Long.parseLong(said[2]));
        }
    }

    /**
     * A restart in order, with its stores.
     *
     * @param firstChangeSeconds from the start of the process until it handled a change that was made before
     * @param lists LIST requests to the API server
     * @param doneAgain calls of the handler for keys that had been done
     */
    record Restart(double firstChangeSeconds, long lists, long doneAgain) {}

    Restart restart(int keys) throws InterruptedException {
        TopicLayout layout = filled("restart", keys);
        WorkerSpec spec = world.spec(layout, keys, 0, Handling.NOTHING);
        try (ObjectFlood flood = world.flood(layout)) {
            try (ChildProcess process = world.process(spec, "2g")) {
                handled(process);
                awaitCalm(layout);
                process.stop(GRACE);
            }
            int listsBefore = lists();
            flood.change(0, 1);
            world.say("restart with " + keys + " keys");
            long begun = MeasuredWorker.epochMicros();
            try (ChildProcess process = world.process(spec, "2g")) {
                String change = process.awaitLine("^" + MeasuredWorkerMain.CHANGE + " 1 ", world.patience());
                awaitCalm(layout);
                process.stop(GRACE);
                long calls = Long.parseLong(process.awaitLine("^" + MeasuredWorkerMain.CALLS + " ", GRACE)
                        .split(" ", -1)[1]);
                return new Restart(
                        (Long.parseLong(change.split(" ", -1)[2]) - begun) / MICROS_PER_SECOND,
                        lists() - listsBefore,
                        calls - 1);
            }
        }
    }

    private int lists() {
        return Math.toIntExact(world.silent().requests().stream()
                .filter(request -> request.matches("GET /apis?/.*/configmaps(\\?.*)? .*"))
                .count());
    }

    /**
     * Changes that go on while a worker restarts.
     *
     * @param handledShare of the changes
     * @param millisP50 from the writing to the handler
     */
    record Storm(double handledShare, double millisP50) {}

    Storm storm(int keys) throws InterruptedException {
        TopicLayout layout = filled("storm", keys);
        WorkerSpec spec = world.spec(layout, keys, 0, Handling.sleeping(SLEEP_MILLIS, 0));
        try (ObjectFlood flood = world.flood(layout);
                ChildProcess before = world.process(spec, "1g")) {
            handled(before);
            awaitCalm(layout);
            int changes = Math.min(STORM_CHANGES, keys);
            var writer = Thread.ofPlatform().start(() -> steadily(flood, changes));
            List<String> lines = new ArrayList<>();
            BenchPause.nanos(TimeUnit.SECONDS.toNanos(1)
                    / STORM_CHANGES_PER_SECOND
                    * Math.min(CHANGES_BEFORE_RESTART, changes / 4));
            world.say("restart amid " + changes + " changes");
            before.stop(GRACE);
            lines.addAll(changes(before));
            try (ChildProcess after = world.process(spec, "1g")) {
                writer.join();
                world.await("changes", changes - lines.size(), () ->
                        (long) changes(after).size());
                lines.addAll(changes(after));
            }
            long[] micros = lines.stream()
                    .mapToLong(line -> Long.parseLong(line.split(" ", -1)[3]))
                    .sorted()
                    .toArray();
            long distinct = lines.stream()
                    .map(line -> line.split(" ", -1)[1])
                    .distinct()
                    .count();
            return new Storm((double) distinct / changes, micros[micros.length / 2] / 1e3);
        }
    }

    private static void steadily(ObjectFlood flood, int changes) {
        long begun = System.nanoTime();
        long gap = TimeUnit.SECONDS.toNanos(1) / STORM_CHANGES_PER_SECOND;
        for (int change = 0; change < changes; change++) {
            LockSupport.parkNanos(begun + change * gap - System.nanoTime());
            flood.change(change, change);
        }
    }

    /** Seconds from the SIGKILL of one of two processes until keys of each partition are handled again. */
    double takeover(int keys) throws InterruptedException {
        TopicLayout layout = filled("takeover", keys);
        try (ObjectFlood flood = world.flood(layout);
                ChildProcess dying = world.process(world.spec(layout, keys, 1, Handling.NOTHING), "2g");
                ChildProcess staying = world.process(world.spec(layout, keys, 1, Handling.NOTHING), "2g")) {
            dying.awaitLine("^" + MeasuredWorkerMain.READY, world.patience());
            staying.awaitLine("^" + MeasuredWorkerMain.READY, world.patience());
            world.await("keys", keys, () -> world.outcomes(layout));
            awaitCalm(layout);
            int[] probes = probes(flood, layout, keys);
            long sequence = shared(flood, layout, probes, dying, staying);
            world.say("one of two processes with " + keys + " keys is killed");
            long killed = MeasuredWorker.epochMicros();
            dying.kill();
            Map<Integer, Long> servedAt = new HashMap<>();
            long firstSequence = sequence;
            while (servedAt.size() < probes.length) {
                for (int probe : probes) {
                    flood.change(probe, sequence++);
                }
                BenchPause.nanos(TimeUnit.SECONDS.toNanos(1) / PROBES_PER_SECOND);
                for (String line : changes(staying)) {
                    String[] words = line.split(" ", -1);
                    long number = Long.parseLong(words[1]);
                    if (number >= firstSequence) {
                        int partition = (int) ((number - firstSequence) % probes.length);
                        servedAt.putIfAbsent(partition, Long.parseLong(words[2]));
                    }
                }
                if (MeasuredWorker.epochMicros() - killed > world.patience().toNanos() / 1_000) {
                    throw new IllegalStateException("only " + servedAt.size() + " of " + probes.length
                            + " partitions are served " + world.patience().toSeconds() + " s after the kill");
                }
            }
            return (servedAt.values().stream().mapToLong(Long::longValue).max().orElse(killed) - killed)
                    / MICROS_PER_SECOND;
        }
    }

    /** A key of each partition. */
    private static int[] probes(ObjectFlood flood, TopicLayout layout, int keys) {
        return IntStream.range(0, layout.partitions())
                .map(partition -> IntStream.range(0, keys)
                        .filter(number -> flood.partition(number) == partition)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no key on partition " + partition)))
                .toArray();
    }

    /** Sends probes until both processes have handled some: standbys are warm and partitions spread then. */
    private long shared(ObjectFlood flood, TopicLayout layout, int[] probes, ChildProcess one, ChildProcess other)
            throws InterruptedException {
        long sequence = 0;
        long deadline = System.nanoTime() + world.patience().toNanos();
        while (System.nanoTime() < deadline) {
            int oneBefore = changes(one).size();
            int otherBefore = changes(other).size();
            for (int probe : probes) {
                flood.change(probe, sequence++);
            }
            awaitCalm(layout);
            int half = probes.length / 2;
            if (changes(one).size() - oneBefore == half && changes(other).size() - otherBefore == half) {
                return sequence;
            }
        }
        throw new IllegalStateException("the two processes do not share the partitions after "
                + world.patience().toSeconds() + " s");
    }

    /** Attempts a second of so many processes with handlers of 20 ms. */
    double rate(int processes, int keysEach) throws InterruptedException {
        TopicLayout layout = world.topics("scale", PARTITIONS);
        int keys = processes * keysEach;
        List<ChildProcess> started = new ArrayList<>();
        try (ObjectFlood flood = world.flood(layout)) {
            for (int process = 0; process < processes; process++) {
                started.add(world.process(
                        world.spec(layout, keys, 0, Handling.sleeping(SLEEP_MILLIS, SCALE_CONCURRENCY)), "512m"));
            }
            started.forEach(process -> process.awaitLine("^" + MeasuredWorkerMain.READY, world.patience()));
            BenchPause.nanos(CALM.multipliedBy(2).toNanos()); // until the last one has its share
            world.say(processes + " processes");
            flood.firstStates(keys);
            world.await("attempts", keys / 5, () -> world.outcomes(layout));
            long from = System.nanoTime();
            long fromCount = world.outcomes(layout);
            world.await("attempts", keys * 4L / 5, () -> world.outcomes(layout));
            long toCount = world.outcomes(layout);
            return (toCount - fromCount) * 1e9 / (System.nanoTime() - from);
        } finally {
            started.forEach(ChildProcess::close);
        }
    }

    private TopicLayout filled(String name, int keys) {
        world.say("writing " + keys + " objects for " + name);
        TopicLayout layout = world.topics(name, PARTITIONS);
        try (ObjectFlood flood = world.flood(layout)) {
            flood.firstStates(keys);
        }
        return layout;
    }

    private String handled(ChildProcess process) {
        return process.awaitLine("^" + MeasuredWorkerMain.HANDLED + " ", world.patience());
    }

    /** Until no attempt has ended for a while, and all is on the log. */
    private void awaitCalm(TopicLayout layout) throws InterruptedException {
        long before = -1;
        for (long now = world.outcomes(layout); now != before; now = world.outcomes(layout)) {
            before = now;
            BenchPause.nanos(CALM.toNanos());
        }
    }

    private static List<String> changes(ChildProcess process) {
        try (Stream<String> lines = process.outputText().lines()) {
            return lines.filter(line -> line.startsWith(MeasuredWorkerMain.CHANGE + " "))
                    .toList();
        }
    }
}
