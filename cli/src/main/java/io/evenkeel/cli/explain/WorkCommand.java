package io.evenkeel.cli.explain;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Pause;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.pause.ControlsTopic;
import io.evenkeel.cli.terminal.Table;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the work that is not done. */
@Command(
        name = "work",
        description = {
            "Shows what is pending, running, waiting, paused or parked, with reasons and due times.",
            "",
            "Reads the ledgers of all workers from Kafka; no worker needs to run. What changes meanwhile may be missed."
        })
public final class WorkCommand implements Callable<Integer> {
    private static final int REASON_WIDTH = 70;

    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Option(names = "--controller", paramLabel = "NAME", description = "Only of this controller.")
    private Optional<String> controller = Optional.empty();

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "Only on this cluster.")
    private Optional<String> cluster = Optional.empty();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only in this namespace.")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only in this state: pending, paused, running, retry, requeue, resync or parked.")
    private Optional<String> state = Optional.empty();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Most rows of the table. Default: ${DEFAULT-VALUE}.")
    private int limit = 50;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table for people, json for one JSON object per line, without limit. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Format format = Format.table;

    /** How work is printed; spelled as it is typed. */
    enum Format {
        table,
        json
    }

    /** Made by the command line. */
    public WorkCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Settings settings = options.read(terminal);
        List<Pause> pauses = ControlsTopic.of(options, terminal).pauses(terminal);
        List<WorkItem> items = new Ledgers(settings.as(KafkaSettings::from), settings.as(TopicSettings::from))
                .busy().entrySet().stream()
                        .map(entry -> WorkItem.of(entry.getKey(), entry.getValue(), pauses))
                        .filter(this::isWanted)
                        .sorted(Comparator.comparing((WorkItem item) ->
                                        item.due().or(item::since).orElse(Instant.EPOCH))
                                .thenComparing(WorkItem::object))
                        .toList();
        switch (format) {
            case table -> print(items);
            case json ->
                items.forEach(item -> terminal.out().println(new String(Json.write(item), StandardCharsets.UTF_8)));
        }
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private boolean isWanted(WorkItem item) {
        ObjectKey key = ObjectKey.parse(item.object());
        return controller.map(item.controller()::equals).orElse(true)
                && cluster.map(key.cluster()::equals).orElse(true)
                && namespace.map(key.namespace()::equals).orElse(true)
                && state.map(item.state()::equals).orElse(true);
    }

    private void print(List<WorkItem> items) {
        if (items.isEmpty()) {
            terminal.out().println("Nothing is to be done.");
            return;
        }
        Map<String, Long> byState =
                items.stream().collect(Collectors.groupingBy(WorkItem::state, TreeMap::new, Collectors.counting()));
        terminal.out()
                .println(Texts.count(items.size(), "key") + ": "
                        + byState.entrySet().stream()
                                .map(entry -> entry.getValue() + " " + entry.getKey())
                                .collect(Collectors.joining(", ")));
        terminal.out().println();
        var table = new Table("CONTROLLER", "CLUSTER", "OBJECT", "STATE", "SINCE", "DUE", "FAILED", "REASON");
        Instant now = terminal.clock().instant();
        items.stream().limit(Math.max(1, limit)).forEach(item -> {
            ObjectKey key = ObjectKey.parse(item.object());
            table.row(
                    item.controller(),
                    key.cluster(),
                    key.kind() + " " + key.subject(),
                    item.state(),
                    item.since()
                            .map(since -> Texts.about(Duration.between(since, now)))
                            .orElse(""),
                    item.due().map(due -> due(Duration.between(now, due))).orElse(""),
                    Integer.toString(item.failures()),
                    Texts.oneLine(item.reason(), REASON_WIDTH));
        });
        table.print(terminal.out());
        if (items.size() > limit) {
            terminal.out().println("… and " + (items.size() - limit) + " more: --limit N shows them.");
        }
    }

    private static String due(Duration left) {
        return left.isNegative() ? "now" : "in " + Texts.about(left);
    }
}
