package io.evenkeel.worker.task;

import io.evenkeel.api.record.Undecodable;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.worker.metrics.WorkerMetrics;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts records that cannot be read on {@code dead-letters}, with their bytes, as {@link Undecodable}. */
final class Aside {
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
        headers.add(Undecodable.ERROR, String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8));
        if (message.key() != null) {
            headers.add(Undecodable.KEY, message.key().get());
        }
        byte[] value = message.value() == null ? new byte[0] : message.value();
        outlet.forward(
                new Routed(Topic.DEAD_LETTERS, partition, Undecodable.key(at.topic(), at.partition(), at.offset())),
                value,
                headers);
    }
}
