package io.evenkeel.sandbox.fault.script;

import java.util.List;

/** A script that can't be used; the message holds all problems, a line for each. */
public final class ScriptException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    ScriptException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each with its line, what is wrong and what is allowed. */
    public List<String> problems() {
        return problems;
    }
}
