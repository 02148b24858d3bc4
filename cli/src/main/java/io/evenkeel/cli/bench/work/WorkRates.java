package io.evenkeel.cli.bench.work;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.bench.work.WorkerSpec.Handling;
import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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
            warm = round(name, handling);
            cold = round == 0 ? warm : cold;
        }
        return new Rate(cold, warm);
    }

    /**
     * Healthy keys a second where each tenth fails, divided by the same where none does. Their cluster answers: the engine
     * tells it of each key that it parks.
     */
    double poisonRatio() throws InterruptedException {
        String cluster = WorkWorld.ONE_CLUSTER.getFirst();
        try (KubeSim sim = KubeSim.builder().clusters(WorkWorld.ONE_CLUSTER).start()) {
            Path kubeconfigs = world.kubeconfigs(Map.of(cluster, sim.kubeconfig(cluster)));
            if (warmUps > 0) {
                world.say("keys that never fail, to warm up");
                healthy(Handling.NOTHING, kubeconfigs);
            }
            world.say("keys that never fail, alone");
            double alone = healthy(Handling.NOTHING, kubeconfigs);
            world.say("keys that never fail, beside a tenth that always does");
            return healthy(new Handling(0, true, false, 0), kubeconfigs) / alone;
        } catch (IOException e) {
            throw new UncheckedIOException("the simulated cluster could not be started", e);
        }
    }

    private double healthy(Handling handling, Path kubeconfigs) throws InterruptedException {
        TopicLayout layout = world.topics("poison", PARTITIONS);
        try (var flood = world.flood(layout)) {
            flood.firstStates(keys);
        }
        WorkerSpec spec = world.spec(layout, keys, 0, handling, kubeconfigs);
        try (var worker = new MeasuredWorker(spec, MeasuredWorker.TENTH, (sequence, sent) -> {})) {
            int expected = keys - (keys + MeasuredWorker.TENTH - 1) / MeasuredWorker.TENTH;
            world.await("keys that never fail", expected, () -> (long) worker.others());
            return worker.othersPerSecond();
        }
    }

    private double round(String name, Handling handling) throws InterruptedException {
        TopicLayout layout = world.topics(name, PARTITIONS);
        try (var flood = world.flood(layout)) {
            flood.firstStates(keys);
        }
        WorkerSpec spec = world.spec(layout, keys, 0, handling);
        try (var worker = new MeasuredWorker(spec, MeasuredWorker.TENTH, (sequence, sent) -> {})) {
            world.await(name + ": keys", keys, () -> (long) worker.handled());
            return worker.perSecond();
        }
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
