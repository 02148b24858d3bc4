package io.evenkeel.cli.events;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The record's value as it is: it is one JSON object without line breaks. */
final class EventJson implements EventFormat {
    @Override
    public String format(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? "null" : new String(record.value(), StandardCharsets.UTF_8);
    }
}
