package io.evenkeel.watcher.publish;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Keeps what first went wrong with a producer's records, which its own thread reports. Thread-safe. */
final class FirstFailure implements Callback {
    private final AtomicReference<@Nullable Exception> first = new AtomicReference<>();

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (exception != null) {
            first.compareAndSet(null, exception);
        }
    }

    /** @throws KafkaException if a record could not be sent */
    void check() {
        Exception failure = first.get();
        if (failure instanceof KafkaException kafka) {
            throw kafka;
        }
        if (failure != null) {
            throw new KafkaException("a record could not be sent", failure);
        }
    }
}
