package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends dead letters back to work. */
@Command(
        name = "redrive",
        description = {
            "Sends parked work back to the workers, with a fresh count of attempts.",
            "",
            "Mend the cause first: what fails again is parked again. What would be sent is shown before it is; with"
                    + " --rate, Ctrl-C keeps the rest where it is."
        })
public final class RedriveCommand implements Callable<Integer> {
    private static final int PREVIEWED = 10;
    private static final int PREVIEWED_WIDTH = 80;

    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @ArgGroup(multiplicity = "0..1")
    private Which which = new Which();

    @Mixin
    private Selection selection = new Selection();

    @Option(names = "--rate", paramLabel = "N", description = "Send at most N a second; otherwise all at once.")
    private Optional<Integer> rate = Optional.empty();

    @Option(names = "--dry-run", description = "Only show what would be sent.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Don't ask.")
    private boolean yes;

    /** One of them, or all. */
    static final class Which {
        @Parameters(paramLabel = "KEY", description = "Key of the dead letter, or its end if it is the only one.")
        private Optional<String> key = Optional.empty();

        @Option(names = "--all", description = "All of them.")
        private boolean all;
    }

    /** Made by the command line. */
    public RedriveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (which.key.isEmpty() && !which.all && selection.isAll()) {
            throw new StartupException(
                    ExitCode.USAGE, "Say which: a KEY, some of them (--controller, --error and others), or --all.");
        }
        if (rate.isPresent() && rate.get() < 1) {
            throw new StartupException(ExitCode.USAGE, "--rate must be 1 or more but is " + rate.get() + ".");
        }
        DeadLetterAccess access = DeadLetterAccess.open(options, terminal);
        List<DeadLetter> letters = selection.of(access.letters());
        List<DeadLetter> chosen = which.key
                .map(key -> List.of(DeadLetterSearch.only(letters, key)))
                .orElse(letters);
        if (chosen.isEmpty()) {
            terminal.out().println("No dead letters.");
            terminal.out().flush();
            return ExitCode.OK.number();
        }
        preview(chosen);
        if (dryRun) {
            terminal.out().println("Nothing was sent: --dry-run.");
            terminal.out().flush();
            return ExitCode.OK.number();
        }
        if (!yes && !isConfirmed(chosen)) {
            terminal.err().println("Nothing was sent.");
            terminal.err().flush();
            return ExitCode.OK.number();
        }
        int batch = rate.orElse(chosen.size());
        for (int from = 0; from < chosen.size(); from += batch) {
            List<DeadLetter> next = chosen.subList(from, Math.min(chosen.size(), from + batch));
            access.topic().redrive(next, terminal.clock().instant(), user());
            next.forEach(letter -> terminal.out().println("sent back to work: " + letter.key()));
            terminal.out().flush();
            if (from + batch < chosen.size()) {
                terminal.err().println(from + batch + " of " + chosen.size() + "; Ctrl-C keeps the rest");
                terminal.err().flush();
                pause();
            }
        }
        return ExitCode.OK.number();
    }

    private void preview(List<DeadLetter> chosen) {
        if (chosen.size() > 1) {
            Histogram.print(chosen, terminal.out());
            terminal.out().println();
        }
        chosen.stream()
                .limit(PREVIEWED)
                .forEach(letter -> terminal.out()
                        .println(letter.key() + "  "
                                + Texts.oneLine(letter.failure().message(), PREVIEWED_WIDTH)));
        if (chosen.size() > PREVIEWED) {
            terminal.out().println("… and " + (chosen.size() - PREVIEWED) + " more");
        }
        terminal.out().flush();
    }

    private static void pause() {
        try {
            Thread.sleep(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException(ExitCode.ERROR, "Interrupted; the rest stays where it is.", e);
        }
    }

    private boolean isConfirmed(List<DeadLetter> chosen) {
        String what =
                chosen.size() == 1 ? chosen.getFirst().key().toString() : Texts.count(chosen.size(), "dead letter");
        return terminal.person()
                .map(person -> terminal.confirms(person, "Send " + what + " back to work?"))
                .orElseThrow(() -> new StartupException(
                        ExitCode.USAGE, "There is nobody to ask whether to send " + what + " back: add --yes."));
    }

    private String user() {
        return Optional.ofNullable(System.getProperty("user.name")).orElse("unknown");
    }
}
