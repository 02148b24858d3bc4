package io.evenkeel.cli.bench.soak;

import io.evenkeel.sandbox.fault.rule.Rule;
import java.util.List;

/** One step of a history: something that happens to a cluster, or to those who look at it. */
sealed interface Act {
    /** An object appears; held ones have a finalizer. */
    record Create(SoakKind kind, String name, int value, boolean held) implements Act {}

    /** An object changes in one of its parts. */
    record Change(SoakKind kind, String name, int value, Part part) implements Act {}

    /** An object is deleted; a held one only begins to end. */
    record Delete(SoakKind kind, String name) implements Act {}

    /** A held object that is ending loses its finalizer. */
    record Release(SoakKind kind, String name) implements Act {}

    /** Objects are deleted at once; where the server can do it, under one resourceVersion. */
    record DeleteTogether(SoakKind kind, List<String> names) implements Act {
        /** Takes a copy. */
        public DeleteTogether {
            names = List.copyOf(names);
        }
    }

    /** The definition of a kind goes, and all objects with it. */
    record DropDefinition(SoakKind kind) implements Act {}

    /** The definition comes back. */
    record MakeDefinition(SoakKind kind) implements Act {}

    /** The server forgets its history. */
    record Compact() implements Act {}

    /** From now on requests can meet this fault. */
    record Break(Rule rule) implements Act {}

    /** All connections break. */
    record Disconnect() implements Act {}

    /** Nothing happens for so long. */
    record Pause(int millis) implements Act {}

    /** A part of an object. */
    enum Part {
        DATA,
        LABEL_IN,
        LABEL_OUT,
        ANNOTATION,
        STATUS
    }
}
