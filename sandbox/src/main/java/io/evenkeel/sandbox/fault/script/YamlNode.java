package io.evenkeel.sandbox.fault.script;

import java.util.List;
import java.util.Map;

/** A piece of YAML that knows its line, so that a person can be told where to look. */
sealed interface YamlNode {
    /** From 1. */
    int line();

    /**
     * A plain value.
     *
     * @param text as written, empty if there is nothing
     */
    record Text(int line, String text) implements YamlNode {}

    /**
     * A list.
     *
     * @param items in their order
     */
    record Items(int line, List<YamlNode> items) implements YamlNode {}

    /**
     * A map.
     *
     * @param fields in their order
     */
    record Fields(int line, Map<String, YamlNode> fields) implements YamlNode {}
}
