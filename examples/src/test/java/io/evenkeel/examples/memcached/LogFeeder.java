package io.evenkeel.examples.memcached;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Feeds {@code objects} from plain watches: just enough of a watcher for the tests of an operator alone. */
final class LogFeeder implements AutoCloseable {
    private final KubernetesClient client;
    private final TopicLayout layout;
    private final String cluster;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Watch> watches = new ArrayList<>();

    LogFeeder(KubernetesClient client, KafkaSettings kafka, TopicLayout layout, String cluster) {
        this.client = client;
        this.layout = layout;
        this.cluster = cluster;
        this.producer = new KafkaProducer<>(
                kafka.mapWith(Map.of("linger.ms", 0)), new ByteArraySerializer(), new ByteArraySerializer());
    }

    <T extends HasMetadata> LogFeeder watching(Class<T> type) {
        watches.add(client.resources(type).inNamespace("default").watch(new Watcher<T>() {
            @Override
            public void eventReceived(Action action, T object) {
                write(action, object);
            }

            @Override
            public void onClose(WatcherException cause) {}
        }));
        return this;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of a failure
    private void write(Watcher.Action action, HasMetadata object) {
        ResourceType type = ResourceType.ofObject(object);
        var meta = object.getMetadata();
        meta.setManagedFields(null);
        var key = new ObjectKey(cluster, type.group(), type.kind(), meta.getNamespace(), meta.getName());
        ChangeType change = switch (action) {
            case ADDED -> ChangeType.ADDED;
            case DELETED -> ChangeType.DELETED;
            default -> ChangeType.MODIFIED;
        };
        byte[] json = client.getKubernetesSerialization().asJson(object).getBytes(StandardCharsets.UTF_8);
        var message = new ProducerRecord<byte[], byte[]>(
                layout.name(Topic.OBJECTS),
                Partitioner.partition(key, layout.partitions()),
                key.toString().getBytes(StandardCharsets.UTF_8),
                change == ChangeType.DELETED ? null : json);
        new ObjectHeaders(
                        ChangeEvent.id(cluster, 1, meta.getUid(), meta.getResourceVersion(), change),
                        change,
                        Origin.WATCH,
                        1,
                        meta.getUid(),
                        meta.getResourceVersion(),
                        Optional.ofNullable(meta.getGeneration()),
                        List.of("spec"),
                        Instant.now(),
                        Optional.empty(),
                        Optional.empty())
                .addTo(message.headers());
        producer.send(message, (metadata, error) -> {
            if (error != null) {
                throw new IllegalStateException(error);
            }
        });
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
        producer.close();
    }
}
