package io.evenkeel.cli.status;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Prints how the shards of all clusters fare. */
@Command(
        name = "status",
        description = {
            "Shows how the shards fare: what is watched of each cluster, and what is wrong with it.",
            "",
            "A shard is one resource of one cluster. Those that need somebody come first. STALE means that its watcher"
                + " has stopped to report and nobody took over. Exit code 1 if a shard is neither LIVE nor GONE (its"
                + " cluster does not have the resource), or if there is none."
        })
public final class StatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, wide (all times, owners and whole errors), json (one object per line) or yaml (one"
                    + " document per shard). Default: ${DEFAULT-VALUE}.")
    private Format format = Format.table;

    @Option(
            names = {"-w", "--watch"},
            description = "Go on and show each shard again whose state changes; end with Ctrl-C.")
    private boolean watch;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Only shards of this cluster; may be repeated.")
    private List<String> clusters = new ArrayList<>();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only shards in this state: ${COMPLETION-CANDIDATES}; may be repeated.")
    private List<ShardView.Condition> states = new ArrayList<>();

    /** How shards are printed; spelled as it is typed. */
    enum Format {
        table,
        wide,
        json,
        yaml
    }

    /** Made by the command line. */
    public StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Settings settings = options.read(terminal);
        KafkaSettings kafka = settings.as(KafkaSettings::from);
        String topic = settings.as(TopicSettings::from).name(Topic.WATCH_STATUS);
        var board = new StatusBoard(terminal, format(), clusters, states);
        try (var reader = new TopicReader(kafka, topic)) {
            // A pipe that was closed (head) is only noticed by asking.
            reader.read(
                    new From.Beginning(),
                    watch,
                    board::take,
                    () -> board.show() && !terminal.out().checkError());
        }
        terminal.out().flush();
        return (board.isWell() || watch ? ExitCode.OK : ExitCode.DIFFERENCES).number();
    }

    private StatusFormat format() {
        return switch (format) {
            case table -> new ShardTable(terminal, false);
            case wide -> new ShardTable(terminal, true);
            case json -> new ShardDocuments(terminal, Object::toString);
            case yaml -> {
                var yaml = YAMLMapper.builder()
                        .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                        .build();
                yield new ShardDocuments(
                        terminal, document -> new String(yaml.writeValueAsBytes(document), StandardCharsets.UTF_8));
            }
        };
    }
}
