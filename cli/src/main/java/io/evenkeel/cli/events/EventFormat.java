package io.evenkeel.cli.events;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Turns a record of {@code events} into one line. */
@FunctionalInterface
interface EventFormat {
    /** One line without its end. */
    String format(ConsumerRecord<byte[], byte[]> record);
}
