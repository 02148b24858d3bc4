package io.evenkeel.worker.task;

import java.time.Clock;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The partition's way out: records go with the task's own producer, which is flushed before the positions of the inputs
 * are committed. Used by the thread that owns the partition.
 */
final class Outlet {
    private final ProcessorContext<Routed, byte[]> context;
    private final Clock clock;

    Outlet(ProcessorContext<Routed, byte[]> context, Clock clock) {
        this.context = context;
        this.clock = clock;
    }

    void forward(Routed to, byte[] value) {
        forward(to, value, new RecordHeaders());
    }

    void tombstone(Routed to) {
        forward(to, null, new RecordHeaders());
    }

    void forward(Routed to, byte @Nullable [] value, Headers headers) {
        context.forward(new Record<>(to, value, clock.millis(), headers));
    }
}
