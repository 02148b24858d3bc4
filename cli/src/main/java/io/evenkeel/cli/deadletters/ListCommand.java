package io.evenkeel.cli.deadletters;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Table;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.process.ExitCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints a table of all dead letters. */
@Command(name = "list", description = "Lists parked work, newest first.")
public final class ListCommand implements Callable<Integer> {
    private static final int ERROR_WIDTH = 60;

    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table for people, json for one JSON object per line. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.table;

    @Mixin
    private Selection selection = new Selection();

    /** How dead letters are printed; spelled as it is typed. */
    enum Format {
        table,
        json
    }

    /** Made by the command line. */
    public ListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        DeadLetterTopic.Content content =
                DeadLetterAccess.open(options, terminal).content();
        List<DeadLetter> letters = selection.of(content.letters());
        switch (format) {
            case table -> {
                printTable(letters);
                printUnreadable(content.unreadable());
            }
            case json -> {
                letters.forEach(this::printJson);
                content.unreadable()
                        .forEach(each ->
                                printJson(Map.of("unreadable", each.key(), "error", each.error(), "at", each.at())));
            }
        }
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private void printJson(Object value) {
        terminal.out().println(new String(Json.write(value), StandardCharsets.UTF_8));
    }

    private void printUnreadable(List<DeadLetterTopic.Unreadable> unreadable) {
        if (unreadable.isEmpty()) {
            return;
        }
        terminal.out().println();
        terminal.out()
                .println(Texts.count(unreadable.size(), "record")
                        + " could not be read by a worker. See what it holds with: evenkeel dead-letters show KEY");
        var table = new Table("KEY", "SINCE", "ERROR");
        for (DeadLetterTopic.Unreadable each : unreadable) {
            table.row(
                    each.key(), Texts.toSeconds(each.at(), terminal.zone()), Texts.oneLine(each.error(), ERROR_WIDTH));
        }
        table.print(terminal.out());
    }

    private void printTable(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            terminal.out().println("No dead letters.");
            return;
        }
        if (letters.size() > 1) {
            Histogram.print(letters, terminal.out());
            terminal.out().println();
        }
        var table = new Table("CONTROLLER", "CLUSTER", "OBJECT", "REASON", "ATTEMPTS", "PARKED", "ERROR");
        for (DeadLetter letter : letters) {
            var primary = letter.key().primary();
            Duration age = Duration.between(letter.parkedAt(), terminal.clock().instant());
            table.row(
                    letter.controller(),
                    primary.cluster(),
                    primary.kind() + " " + primary.subject(),
                    Words.of(letter.reason()),
                    Integer.toString(letter.attempts()),
                    Texts.toSeconds(letter.parkedAt(), terminal.zone()) + " (" + Texts.about(age) + " ago)",
                    Texts.oneLine(
                            Words.shortType(letter.failure().type()) + ": "
                                    + letter.failure().message(),
                            ERROR_WIDTH));
        }
        table.print(terminal.out());
    }
}
