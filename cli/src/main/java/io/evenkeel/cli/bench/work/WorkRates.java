package io.evenkeel.cli.bench.work;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.bench.work.WorkerSpec.Handling;
import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** How many keys a second a worker of this process handles; each time on new topics that are full before it starts. */
final class WorkRates {
    private static final int PARTITIONS = 4;
    private static final int CLUSTERS = 20;

    /** Of the keys, where each costs a request. */
    private static final int REQUEST_SHARE = 5;

    private final WorkWorld world;
    private final int keys;
    private final int warmUps;

    WorkRates(WorkWorld world, int keys, int warmUps) {
        this.world = world;
        this.keys = keys;
        this.warmUps = warmUps;
    }

    /**
     * Rates of all keys.
     *
     * @param cold of the first round of this process
     * @param warm of the last round
     */
    record Rate(double cold, double warm) {}

    Rate of(String name, Handling handling) throws InterruptedException {
        double cold = 0;
        double warm = 0;
        for (int round = 0; round <= warmUps; round++) {
            world.say(name + ", round " + (round + 1) + " of " + (warmUps + 1));
            warm = round(name, handling, MeasuredWorker::perSecond);
            cold = round == 0 ? warm : cold;
        }
        return new Rate(cold, warm);
    }

    /** Healthy keys a second where each tenth fails, divided by the same where none does. */
    double poisonRatio() throws InterruptedException {
        world.say("keys that never fail, alone");
        double alone = round("healthy", Handling.NOTHING, MeasuredWorker::othersPerSecond);
        world.say("keys that never fail, beside a tenth that always does");
        return round("poison", new Handling(0, true, false, 0), MeasuredWorker::othersPerSecond) / alone;
    }

    private double round(String name, Handling handling, Measure measure) throws InterruptedException {
        TopicLayout layout = world.topics(name, PARTITIONS);
        try (var flood = world.flood(layout)) {
            flood.firstStates(keys);
        }
        try (var worker = new MeasuredWorker(
                world.spec(layout, keys, 0, handling), MeasuredWorker.TENTH, (sequence, sent) -> {})) {
            world.await(name + ": keys", keys, () -> (long) worker.handled());
            return measure.of(worker);
        }
    }

    /** What is read from a worker that has handled all. */
    private interface Measure {
        double of(MeasuredWorker worker);
    }

    /** Keys a second of 19 clusters while a twentieth answers nothing, divided by the same while it answers. */
    double deadClusterRatio() throws InterruptedException {
        List<String> names =
                IntStream.range(0, CLUSTERS).mapToObj(number -> "c" + number).toList();
        try (KubeSim sim = KubeSim.builder().clusters(names).start();
                var dead = new SilentServer()) {
            Map<String, String> alive = new LinkedHashMap<>();
            names.forEach(name -> alive.put(name, sim.kubeconfig(name)));
            if (warmUps > 0) {
                world.say("20 clusters, to warm up");
                clusters(names, alive);
            }
            world.say("20 clusters that answer");
            double before = clusters(names, alive);
            Map<String, String> oneDead = new LinkedHashMap<>(alive);
            oneDead.put(names.getFirst(), dead.kubeconfig(names.getFirst()));
            world.say("19 clusters that answer, one that does not");
            return clusters(names, oneDead) / before;
        } catch (IOException e) {
            throw new UncheckedIOException("the simulated clusters could not be started", e);
        }
    }

    /** Keys a second of those that are not on the first cluster. */
    private double clusters(List<String> names, Map<String, String> kubeconfigs) throws InterruptedException {
        int all = Math.max(1, keys / REQUEST_SHARE / CLUSTERS) * CLUSTERS;
        TopicLayout layout = world.topics("clusters", PARTITIONS);
        try (var flood = new ObjectFlood(world.settings(), layout, names)) {
            flood.firstStates(all);
        }
        int elsewhere = all - all / CLUSTERS;
        WorkerSpec spec = world.spec(layout, all, 0, new Handling(0, false, true, 0), world.kubeconfigs(kubeconfigs));
        try (var worker = new MeasuredWorker(spec, CLUSTERS, (sequence, sent) -> {})) {
            world.await("keys of clusters that answer", elsewhere, () -> (long) worker.others());
            return worker.othersPerSecond();
        }
    }
}
