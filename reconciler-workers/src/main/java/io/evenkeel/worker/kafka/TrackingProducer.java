package io.evenkeel.worker.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A stream thread's producer that can tell when chosen records are safe. Used by that thread. */
final class TrackingProducer extends KafkaProducer<byte[], byte[]> {
    private Optional<List<CompletableFuture<Boolean>>> tracked = Optional.empty();

    TrackingProducer(Map<String, Object> config) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message, Callback callback) {
        if (tracked.isEmpty()) {
            return super.send(message, callback);
        }
        var acknowledged = new CompletableFuture<Boolean>();
        tracked.get().add(acknowledged);
        return super.send(message, (metadata, error) -> {
            if (error == null) {
                acknowledged.complete(true);
            } else {
                acknowledged.completeExceptionally(error);
            }
            callback.onCompletion(metadata, error);
        });
    }

    /** As {@link io.evenkeel.worker.task.Acknowledgements#of}. */
    CompletionStage<Boolean> acknowledgementsOf(Runnable sends) {
        var all = new ArrayList<CompletableFuture<Boolean>>();
        tracked = Optional.of(all);
        try {
            sends.run();
        } finally {
            tracked = Optional.empty();
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).thenApply(nothing -> true);
    }
}
