package io.evenkeel.sandbox.kafka;

import java.util.Locale;

/** What a node of the cluster does. */
enum NodeRole {
    BROKER,
    CONTROLLER;

    /** As Kafka's {@code process.roles} spells it. */
    String configName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of the listener that serves this role. */
    String listener() {
        return name();
    }
}
