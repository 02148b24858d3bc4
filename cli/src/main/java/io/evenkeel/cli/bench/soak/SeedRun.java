package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One seed: its plan, its server, the proxy before that. Used by one thread at a time. */
final class SeedRun implements AutoCloseable {
    private final Plan plan;
    private final SoakServer server;
    private final FaultProxy proxy;
    private final Player player;
    private volatile List<ObjectKey> marks = List.of();
    private int marked; // by one thread after another

    /**
     * @param straight gets the kubeconfig that leads to the server
     * @param faulty gets the one that leads through the proxy, for the watcher
     */
    SeedRun(Plan plan, SoakServer server, Path straight, Path faulty) throws IOException {
        this.plan = plan;
        this.server = server;
        Kubeconfig config = Kubeconfig.read(Files.writeString(straight.resolve(server.cluster()), server.kubeconfig()));
        String context = config.currentContext();
        this.proxy = FaultProxy.before(config.upstream(context))
                .seed(plan.seed())
                .rules(plan.rules().toArray(Rule[]::new))
                .start();
        this.player = new Player(server, proxy);
        Files.writeString(
                faulty.resolve(server.cluster()),
                config.through(Map.of(context, new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem()))));
    }

    Plan plan() {
        return plan;
    }

    void prepare() throws InterruptedException {
        player.prepare(plan.kinds());
    }

    void play(int part) throws InterruptedException {
        player.play(plan.parts().get(part));
    }

    /** Makes objects that show how far the log has come. */
    void mark() throws InterruptedException {
        String name = "z-" + ++marked;
        marks = player.mark(plan.kinds(), name).stream()
                .map(kind -> kind.key(server.cluster(), server.namespace(), name))
                .toList();
    }

    /** Ends all faults, and marks the end. */
    void calm() throws InterruptedException {
        player.calm();
        mark();
    }

    long faults() {
        return player.faults();
    }

    /** Whether the newest marks are on the log. */
    boolean hasArrived(LogReader log) {
        return marks.stream().allMatch(log::knows);
    }

    /**
     * Whether everything before the newest marks is on the log. A mark that was part of a list does not say so: what the
     * list no longer held is logged after all that it held. Others are made then.
     */
    boolean isComplete(LogReader log) throws InterruptedException {
        if (!hasArrived(log)) {
            return false;
        }
        if (marks.stream().allMatch(log::wasWatched)) {
            return true;
        }
        mark();
        return false;
    }

    SeedResult judge(LogReader log) {
        var problems = new ArrayList<String>();
        if (!hasArrived(log)) {
            problems.add("the last objects never came to the log");
        }
        Map<ObjectKey, List<ServerStep>> history = server.history();
        for (SoakKind kind : plan.kinds()) {
            var own = new TreeMap<ObjectKey, List<ServerStep>>();
            history.forEach((key, steps) -> {
                if (key.kind().equals(kind.kind())) {
                    own.put(key, steps);
                }
            });
            ShardLog shard = log.shard(kind, server.cluster(), server.namespace());
            problems.addAll(describe(kind, own, shard, Judge.findings(own, shard)));
        }
        return new SeedResult(plan.seed(), problems);
    }

    private static List<String> describe(
            SoakKind kind, Map<ObjectKey, List<ServerStep>> history, ShardLog log, List<Judge.Finding> findings) {
        var lines = new ArrayList<String>();
        if (!findings.isEmpty()) {
            lines.add(kind.resource() + ": marked gaps " + log.gaps());
        }
        Map<ObjectKey, List<Judge.Finding>> byObject =
                findings.stream().collect(Collectors.groupingBy(Judge.Finding::key, TreeMap::new, Collectors.toList()));
        byObject.forEach((key, found) -> {
            lines.add(key + ":");
            found.forEach(finding -> lines.add("  " + finding.text()));
            List<LoggedEvent> events = log.events().getOrDefault(key, List.of());
            List<ServerStep> steps = history.getOrDefault(key, List.of());
            var versions = new TreeSet<Long>();
            steps.forEach(step -> versions.add(step.version()));
            events.forEach(event -> versions.add(event.version()));
            for (long version : versions) {
                lines.add("    server: "
                        + line(steps.stream()
                                .filter(step -> step.version() == version)
                                .toList()) + "   log: "
                        + line(events.stream()
                                .filter(event -> event.version() == version)
                                .toList()));
            }
        });
        return lines;
    }

    private static String line(List<?> parts) {
        return parts.isEmpty() ? "-" : parts.stream().map(Objects::toString).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}
