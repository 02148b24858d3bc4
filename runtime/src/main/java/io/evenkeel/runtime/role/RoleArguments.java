package io.evenkeel.runtime.role;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What the command line of a role says, for programs that start one from a main method of their own.
 *
 * @param file settings file
 * @param assignments {@code key=value} of each {@code --set}
 * @param help whether help was asked for
 */
public record RoleArguments(Optional<Path> file, List<String> assignments, boolean help) {
    /** What {@code --help} explains. */
    public static final String USAGE = """
        Options:
          --config FILE     read settings from a YAML file
          --set KEY=VALUE   set one setting; may be repeated
          --help            show this and end
        Settings are taken from the file, then from EVENKEEL_... variables, then from --set.
        """;

    /** Takes a copy of the list. */
    public RoleArguments {
        assignments = List.copyOf(assignments);
    }

    /**
     * Reads a command line; values stand after a space or an equals sign.
     *
     * @throws StartupException if it is malformed
     */
    public static RoleArguments parse(String... arguments) {
        Optional<Path> file = Optional.empty();
        var assignments = new ArrayList<String>();
        boolean help = false;
        for (Iterator<String> rest = List.of(arguments).iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            if (argument.equals("--help") || argument.equals("-h")) {
                help = true;
            } else if (isOption("--config", argument)) {
                file = Optional.of(Path.of(valueOf("--config", argument, rest)));
            } else if (isOption("--set", argument)) {
                assignments.add(valueOf("--set", argument, rest));
            } else {
                throw new StartupException(ExitCode.USAGE, "'" + argument + "' is not understood. " + USAGE.strip());
            }
        }
        return new RoleArguments(file, assignments, help);
    }

    private static boolean isOption(String option, String argument) {
        return argument.equals(option) || argument.startsWith(option + "=");
    }

    private static String valueOf(String option, String argument, Iterator<String> rest) {
        if (argument.length() > option.length()) {
            return argument.substring(option.length() + 1);
        }
        if (!rest.hasNext()) {
            throw new StartupException(ExitCode.USAGE, option + " needs a value. " + USAGE.strip());
        }
        return rest.next();
    }
}
