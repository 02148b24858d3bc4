package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
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
            "Mend the cause first: what fails again is parked again."
        })
public final class RedriveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    @Option(
            names = {"-y", "--yes"},
            description = "Don't ask.")
    private boolean yes;

    /** One of them, or all. */
    static final class Which {
        @Parameters(paramLabel = "KEY", description = "Key of the dead letter, or its end if it is the only one.")
        private Optional<String> key = Optional.empty();

        @Option(names = "--all", description = "All of them.")
        @SuppressWarnings("unused") // its presence is what keeps the key absent
        private boolean all;
    }

    /** Made by the command line. */
    public RedriveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        DeadLetterAccess access = DeadLetterAccess.open(options, terminal);
        List<DeadLetter> chosen = which.key
                .map(key -> List.of(DeadLetterSearch.only(access.letters(), key)))
                .orElse(access.letters());
        if (chosen.isEmpty()) {
            terminal.out().println("No dead letters.");
            terminal.out().flush();
            return ExitCode.OK.number();
        }
        if (!yes && !isConfirmed(chosen)) {
            terminal.err().println("Nothing was sent.");
            terminal.err().flush();
            return ExitCode.OK.number();
        }
        access.topic().redrive(chosen, terminal.clock().instant(), user());
        chosen.forEach(letter -> terminal.out().println("sent back to work: " + letter.key()));
        terminal.out().flush();
        return ExitCode.OK.number();
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
