package io.evenkeel.runtime.settings;

/** Where a value came from; exactly one of these. */
public sealed interface Origin {
    /** For people, so that "… from x" or "… in x" makes sense. */
    String describe();

    /** Nothing was configured. */
    record Default() implements Origin {
        @Override
        public String describe() {
            return "default";
        }
    }

    /**
     * Given by the program itself, as the address of a running {@code dev}.
     *
     * @param source what gave it
     */
    record Program(String source) implements Origin {
        @Override
        public String describe() {
            return source;
        }
    }

    /**
     * A settings file.
     *
     * @param file as it was named
     * @param line 1 or more
     */
    record File(String file, int line) implements Origin {
        @Override
        public String describe() {
            return file + " line " + line;
        }
    }

    /**
     * An environment variable.
     *
     * @param name of the variable
     */
    record Variable(String name) implements Origin {
        @Override
        public String describe() {
            return "variable " + name;
        }
    }

    /**
     * A flag of the command line.
     *
     * @param flag as it is typed
     */
    record Flag(String flag) implements Origin {
        @Override
        public String describe() {
            return "flag " + flag;
        }
    }
}
