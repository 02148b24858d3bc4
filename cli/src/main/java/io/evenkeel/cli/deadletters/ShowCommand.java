package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.process.ExitCode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints one dead letter in full. */
@Command(name = "show", description = "Shows one dead letter in full.")
public final class ShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Parameters(
            paramLabel = "KEY",
            description = "Key of the dead letter; its end will do if it is the only one, such as default/sessions.")
    private String key = "";

    /** Made by the command line. */
    public ShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        DeadLetterTopic.Content content =
                DeadLetterAccess.open(options, terminal).content();
        content.unreadable().stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .ifPresentOrElse(this::show, () -> show(DeadLetterSearch.only(content.letters(), key)));
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private void show(DeadLetterTopic.Unreadable record) {
        line("Key", record.key());
        line("Since", time(record.at()));
        line("Error", record.error());
        line("Bytes", Integer.toString(record.size()));
        terminal.out().println();
        terminal.out().println(record.text());
    }

    private void show(DeadLetter letter) {
        PrintWriter out = terminal.out();
        line("Key", letter.key().toString());
        line(
                "Object",
                letter.key().primary().kind() + " " + letter.key().primary().subject() + ", uid " + letter.uid());
        line(
                "Version",
                letter.resourceVersion()
                        + letter.generation()
                                .map(generation -> ", generation " + generation)
                                .orElse(""));
        line("Reason", Words.of(letter.reason()));
        line("Attempts", letter.attempts() + ", first failed " + time(letter.firstFailedAt()));
        line("Parked", time(letter.parkedAt()));
        line("Error", letter.failure().type());
        letter.failure().message().lines().forEach(text -> out.println("  " + text));
        if (!letter.failure().stackTrace().isBlank()) {
            out.println();
            letter.failure().stackTrace().lines().forEach(text -> out.println("  " + text.stripTrailing()));
        }
        if (!letter.history().isEmpty()) {
            out.println();
            out.println("Failed attempts, oldest first:");
            for (DeadLetter.FailedAttempt attempt : letter.history()) {
                out.println("  " + Texts.toMillis(attempt.at(), terminal.zone()) + "  " + attempt.attemptId() + "  "
                        + Texts.oneLine(Words.shortType(attempt.type()) + ": " + attempt.message(), 100));
            }
        }
        out.println();
        out.println("Send it back to work with: evenkeel dead-letters redrive " + letter.key());
    }

    private void line(String name, String value) {
        terminal.out().println(name + " ".repeat(10 - name.length()) + value);
    }

    private String time(Instant instant) {
        return Texts.toMillis(instant, terminal.zone());
    }
}
