package io.evenkeel.sandbox.kafka;

import org.apache.kafka.common.utils.internals.Exit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Kafka from ending the JVM that it is a guest of.
 *
 * <p>A broker calls {@code Runtime.halt} when it meets a fault that it cannot survive, for instance when all its data
 * folders are gone. In a process of its own that is right; here it would take the tests or the whole {@code dev}
 * server with it, without a word.
 */
final class KafkaExit {
    private static final Logger log = LoggerFactory.getLogger(KafkaExit.class);

    static {
        Exit.setHaltProcedure(KafkaExit::refuse);
        Exit.setExitProcedure(KafkaExit::refuse);
    }

    private KafkaExit() {}

    /** Takes effect once per JVM, however often it is called. */
    static void endsNoJvm() {
        // the work is done when this class is initialised
    }

    private static void refuse(int status, String message) {
        IllegalStateException refusal =
                new IllegalStateException("the broker gave up with status " + status + ": " + message);
        log.atError()
                .addKeyValue("status", status)
                .addKeyValue("reason", message)
                .log("embedded Kafka gave up");
        throw refusal; // Kafka's callers rely on not coming back from here
    }
}
