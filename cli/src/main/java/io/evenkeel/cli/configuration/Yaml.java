package io.evenkeel.cli.configuration;

/** Writes YAML scalars. */
final class Yaml {
    private Yaml() {}

    /** The text as it is where that is safe, otherwise in double quotes. */
    static String scalar(String text) {
        boolean plain = text.matches("[A-Za-z0-9/~_][A-Za-z0-9/~_.,:@+-]*") && !text.endsWith(":");
        return plain
                ? text
                : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
