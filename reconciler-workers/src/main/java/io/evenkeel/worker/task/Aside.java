package io.evenkeel.worker.task;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.worker.metrics.WorkerMetrics;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts records that cannot be read on {@code dead-letters}, with their bytes, under {@code
 * undecodable/<topic>/<partition>/<offset>}: the key is the same when the record is read again.
 */
final class Aside {
    /** What the keys of such records begin with; no controller key does, for it has six parts. */
    static final String PREFIX = "undecodable/";

    private static final Logger log = LoggerFactory.getLogger(Aside.class);

    private final int partition;
    private final Outlet outlet;
    private final WorkerMetrics metrics;

    Aside(int partition, Outlet outlet, WorkerMetrics metrics) {
        this.partition = partition;
        this.outlet = outlet;
        this.metrics = metrics;
    }

    void put(Record<Bytes, byte[]> message, RecordMetadata at, RuntimeException error) {
        log.atError()
                .addKeyValue("topic", at.topic())
                .addKeyValue("partition", at.partition())
                .addKeyValue("offset", at.offset())
                .addKeyValue("cause", String.valueOf(error.getMessage()))
                .log("record put aside: it cannot be read");
        metrics.undecodable(at.topic()).increment();
        var headers = new RecordHeaders();
        headers.add("error", String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8));
        if (message.key() != null) {
            headers.add("key", message.key().get());
        }
        byte[] value = message.value() == null ? new byte[0] : message.value();
        outlet.forward(
                new Routed(
                        Topic.DEAD_LETTERS, partition, PREFIX + at.topic() + "/" + at.partition() + "/" + at.offset()),
                value,
                headers);
    }
}
