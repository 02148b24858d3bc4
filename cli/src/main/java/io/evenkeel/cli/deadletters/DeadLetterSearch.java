package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the dead letter that a person means. */
final class DeadLetterSearch {
    private DeadLetterSearch() {}

    /**
     * The only dead letter with this key, or whose key ends with it after a slash: {@code default/sessions} will do.
     *
     * @throws StartupException if there is none, or more than one
     */
    static DeadLetter only(List<DeadLetter> letters, String wanted) {
        List<DeadLetter> found = letters.stream()
                .filter(letter -> ("/" + letter.key()).endsWith("/" + wanted))
                .toList();
        if (found.isEmpty()) {
            throw new StartupException(
                    ExitCode.USAGE,
                    "There is no dead letter '" + wanted + "' (" + Texts.count(letters.size(), "dead letter")
                            + " in all). List them with: evenkeel dead-letters list");
        }
        if (found.size() > 1) {
            throw new StartupException(
                    ExitCode.USAGE,
                    "'" + wanted + "' could be any of "
                            + found.stream()
                                    .map(letter -> letter.key().toString())
                                    .collect(Collectors.joining(", "))
                            + ". Give the whole key.");
        }
        return found.getFirst();
    }
}
