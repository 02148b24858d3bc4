package io.evenkeel.sandbox.fault.rule;

/** How a cluster that cannot be reached looks to its clients. */
public enum Darkness {
    /** Connections are accepted and nothing comes back, not even on those that are open: a black hole. */
    SILENT,
    /** Open connections are cut, and new ones are refused. */
    REFUSED
}
