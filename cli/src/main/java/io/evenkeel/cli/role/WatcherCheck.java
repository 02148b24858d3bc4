package io.evenkeel.cli.role;

import io.evenkeel.api.topic.TopicDifference;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.terminal.Table;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSource;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.watcher.preflight.ClusterReport;
import io.evenkeel.watcher.preflight.Permission;
import io.evenkeel.watcher.preflight.Preflight;
import io.evenkeel.watcher.preflight.RbacManifest;
import io.evenkeel.watcher.preflight.ResourceReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what a watcher with these settings would lack, and how to grant it. */
final class WatcherCheck {
    private static final String UNKNOWN_USER = "REPLACE-WITH-THE-USER-OF-THE-WATCHER";

    private final Terminal terminal;
    private final Table table = new Table("RESULT", "WHERE", "WHAT", "DETAIL");
    private final List<String> remedies = new ArrayList<>();
    private boolean unreachable;
    private boolean differences;

    WatcherCheck(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Prints a table, and for what is not granted the YAML that grants it. */
    ExitCode run(Settings settings) throws InterruptedException {
        WatcherConfig config = settings.as(WatcherConfig::from);
        KafkaSettings kafka = settings.as(KafkaSettings::from);
        TopicLayout layout = settings.as(TopicSettings::from);
        checkTopics(kafka, layout);
        String role = config.groupId().orElse(layout.prefix() + "watcher");
        try (ClusterSource clusters = settings.as(ClusterChoice::from).open()) {
            clusters.problems().forEach(problem -> differ("clusters", problem.where(), problem.what()));
            for (ClusterReport report : new Preflight(config::shards, terminal.clock())
                    .check(clusters.clusters().values())) {
                tell(report, role);
            }
        }
        table.print(terminal.out());
        remedies.forEach(terminal.out()::print);
        terminal.out().flush();
        if (unreachable) {
            return ExitCode.UNREACHABLE;
        }
        return differences ? ExitCode.DIFFERENCES : ExitCode.OK;
    }

    private void checkTopics(KafkaSettings kafka, TopicLayout layout) {
        try (var topics = new TopicAdmin(kafka, layout)) {
            List<TopicDifference> found = topics.check();
            for (TopicDifference difference : found) {
                differ("kafka", difference.topic(), difference.message());
            }
            if (found.isEmpty()) {
                table.row("ok", "kafka", "topics", Texts.count(layout.specs().size(), "topic"));
            }
        } catch (StartupException e) {
            unreachable("kafka", "brokers", e.getMessage());
        }
    }

    private void tell(ClusterReport report, String role) {
        switch (report) {
            case ClusterReport.Unreachable(String cluster, String reason) -> unreachable(cluster, "API server", reason);
            case ClusterReport.Unauthenticated(String cluster) ->
                differ(cluster, "API server", "does not accept the credentials (401): they are wrong or have expired");
            case ClusterReport.Answered answered -> {
                table.row(
                        "ok",
                        answered.cluster(),
                        "API server",
                        answered.user().map(user -> "as " + user).orElse("it does not say who we are"));
                answered.resources().forEach(resource -> tell(answered.cluster(), resource));
                if (answered.identity() != Permission.ALLOWED) {
                    table.row(
                            "note",
                            answered.cluster(),
                            "namespace kube-system",
                            "may not get it: another cluster under the same address is not told from this one");
                }
                if (!answered.definitions().isAllowed()) {
                    table.row(
                            "note",
                            answered.cluster(),
                            answered.definitions().resource().plural(),
                            access(answered.definitions())
                                    .collect(
                                            Collectors.joining(", ", "", ": definitions that come are noticed later")));
                }
                if (!answered.isAllowed()) {
                    remedies.add(remedy(answered, role));
                }
            }
        }
    }

    private void tell(String cluster, ResourceReport report) {
        String what = report.resource().toString();
        if (report.isWell()) {
            table.row("ok", cluster, what, "");
            return;
        }
        String problem = switch (report.existence()) {
            case PRESENT -> "";
            case ABSENT -> "does not exist";
            case UNKNOWN -> "discovery is refused";
        };
        differ(
                cluster,
                what,
                Stream.concat(Stream.of(problem).filter(text -> !text.isEmpty()), access(report))
                        .collect(Collectors.joining(", ")));
    }

    /** What we may not do with it, for people. */
    private static Stream<String> access(ResourceReport report) {
        return Stream.of(problem("list", report.list()), problem("watch", report.watch()))
                .filter(problem -> !problem.isEmpty());
    }

    private static String problem(String verb, Permission permission) {
        return switch (permission) {
            case ALLOWED -> "";
            case DENIED -> "may not " + verb;
            case UNKNOWN -> "can't tell whether we may " + verb;
        };
    }

    /** Comments and YAML, so that all that follows the table can be applied as it is. */
    private static String remedy(ClusterReport.Answered answered, String role) {
        var manifest = new RbacManifest(
                role,
                answered.user().orElse(UNKNOWN_USER),
                Stream.concat(answered.resources().stream(), Stream.of(answered.definitions()))
                        .map(report -> new RbacManifest.Grant(report.resource(), report.namespace()))
                        .toList());
        return "%n# What cluster %s does not allow yet; apply it there as an administrator:%n%s"
                .formatted(answered.cluster(), manifest.yaml());
    }

    private void differ(String where, String what, String detail) {
        differences = true;
        table.row("missing", where, what, detail);
    }

    private void unreachable(String where, String what, String detail) {
        unreachable = true;
        table.row("unreachable", where, what, detail.replaceAll("\\s+", " "));
    }
}
