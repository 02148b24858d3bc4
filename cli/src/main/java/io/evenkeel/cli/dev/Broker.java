package io.evenkeel.cli.dev;

import io.evenkeel.sandbox.kafka.EmbeddedKafka;

/** Starts the Kafka broker of {@code dev}. */
final class Broker {
    private Broker() {}

    /** Starts it and returns when it answers. */
    static EmbeddedKafka start(int port, DataFolder folder) {
        EmbeddedKafka kafka =
                EmbeddedKafka.builder().port(port).dataFolder(folder.broker()).build();
        try {
            return kafka.start();
        } catch (RuntimeException e) {
            kafka.close();
            throw Ports.explain(e, "the Kafka broker", port, Ports.KAFKA_FLAG);
        }
    }
}
