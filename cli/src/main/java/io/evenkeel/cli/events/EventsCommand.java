package io.evenkeel.cli.events;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Settings;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints change events. */
@Command(
        name = "events",
        description = {
            "Shows the change events of all clusters.",
            "",
            "What is there is shown in order of time; with --follow, new events are shown as they happen."
        })
public final class EventsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Option(
            names = "--from",
            paramLabel = "WHEN",
            defaultValue = "beginning",
            description = "Where to start: beginning, now, a time (2026-11-30T09:14:02Z, or local 2026-11-30T09:14), or"
                    + " how long ago (15m, 2h, 3d). Default: ${DEFAULT-VALUE}.")
    private String from = "beginning";

    @Option(
            names = {"-f", "--follow"},
            description = "Wait for new events; end with Ctrl-C.")
    private boolean follow;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "End after N events.")
    private Optional<Long> count = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "line",
            description = "line for people, json for one JSON object per line. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.line;

    /** How an event is printed; spelled as it is typed. */
    enum Format {
        line,
        json
    }

    /** Made by the command line. */
    public EventsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        From start = start();
        long most = count.orElse(Long.MAX_VALUE);
        if (most < 1) {
            throw new StartupException(ExitCode.USAGE, "--count must be 1 or more but is " + most + ".");
        }
        Settings settings = options.read(terminal);
        KafkaSettings kafka = settings.as(KafkaSettings::from);
        String topic = settings.as(TopicSettings::from).name(Topic.EVENTS);
        EventFormat print = switch (format) {
            case line -> new EventLine(terminal.zone());
            case json -> new EventJson();
        };
        try (var reader = new TopicReader(kafka, topic)) {
            var shown = new Shown(print, most);
            // A pipe that was closed (head) is only noticed by asking.
            reader.read(start, follow, shown::show, () -> !terminal.out().checkError());
        }
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private From start() {
        try {
            return From.parse(from, terminal.clock(), terminal.zone());
        } catch (IllegalArgumentException e) {
            throw new StartupException(ExitCode.USAGE, "--from: " + e.getMessage() + ".", e);
        }
    }

    /** Counts what was shown. */
    private final class Shown {
        private final EventFormat print;
        private long left;

        Shown(EventFormat print, long most) {
            this.print = print;
            this.left = most;
        }

        boolean show(ConsumerRecord<byte[], byte[]> record) {
            terminal.out().println(print.format(record));
            left--;
            return left > 0;
        }
    }
}
