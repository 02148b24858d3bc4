package io.evenkeel.worker.kafka;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A stream thread's producer that can tell when all it has sent is safe. Used by that thread. */
final class TrackingProducer extends KafkaProducer<byte[], byte[]> {
    private final ArrayDeque<CompletableFuture<Boolean>> open = new ArrayDeque<>();

    TrackingProducer(Map<String, Object> config) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message, Callback callback) {
        var acknowledged = new CompletableFuture<Boolean>();
        forgetSettled();
        open.add(acknowledged);
        return super.send(message, (metadata, error) -> {
            if (error == null) {
                acknowledged.complete(true);
            } else {
                acknowledged.completeExceptionally(error);
            }
            callback.onCompletion(metadata, error);
        });
    }

    CompletionStage<Boolean> ofAllSentSoFar() {
        forgetSettled();
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new)).thenApply(nothing -> true);
    }

    /** Partitions are acknowledged out of order, but each of them in order: looking at the oldest is enough to stay small. */
    private void forgetSettled() {
        while (!open.isEmpty() && open.element().isDone()) {
            open.remove();
        }
    }
}
