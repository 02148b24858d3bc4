package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Actor;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.watcher.fold.Emission;
import io.evenkeel.watcher.frame.ScannedObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes emissions as records of {@code events} and {@code objects}. Thread-safe. */
final class EventRecords {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecords.class);
    private static final String INFERRED = "unknown (the deletion was inferred)";
    private static final int RECORD_OVERHEAD = 128;

    private final TopicLayout layout;
    private final int maxRecordBytes;
    private final LoggedOnce tooLarge = new LoggedOnce();

    EventRecords(TopicLayout layout, int maxRecordBytes) {
        this.layout = layout;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * The object that records are about.
     *
     * @param shard through which it is seen
     * @param key its key
     * @param version API version in which it was read
     * @param selection what the shard sees
     */
    record About(ShardKey shard, ObjectKey key, String version, Selection selection) {}

    /**
     * The records that tell of one emission.
     *
     * @param sighted the object's state, if the emission is about it
     */
    List<ProducerRecord<byte[], byte[]>> of(
            About about, Emission emission, Optional<ScannedObject> sighted, Instant observedAt) {
        ObjectKey key = about.key();
        var draft = new Draft(about, emission, sighted, observedAt);
        if (sighted.isEmpty()) {
            return draft.records(Optional.of(INFERRED));
        }
        List<ProducerRecord<byte[], byte[]>> whole = draft.records(Optional.empty());
        if (whole.stream().mapToInt(EventRecords::size).max().orElse(0) <= maxRecordBytes) {
            return whole;
        }
        String why = "too large (" + sighted.get().json().length + " bytes)";
        if (tooLarge.isFirst(key.toString())) {
            LOG.atWarn()
                    .addKeyValue("key", key)
                    .addKeyValue("bytes", sighted.get().json().length)
                    .addKeyValue("limit", maxRecordBytes)
                    .log("object exceeds watcher.max-record-bytes; its events go without it");
        }
        return draft.records(Optional.of(why));
    }

    /** The marker of a gap. */
    ProducerRecord<byte[], byte[]> gap(ShardKey shard, Gap gap) {
        var headers = new RecordHeaders();
        CloudEventHeaders.addGap(headers, gap);
        int partition = Partitioner.partition(shard, layout.partitions());
        return record(Topic.EVENTS, partition, shard.toString(), Optional.of(Json.write(gap)), headers);
    }

    /** Size of a record as Kafka will count it, or a little more. */
    static int size(ProducerRecord<byte[], byte[]> record) {
        int bytes = record.key().length + RECORD_OVERHEAD;
        byte[] value = record.value();
        if (value != null) {
            bytes += value.length;
        }
        for (Header header : record.headers()) {
            bytes += header.key().length() + header.value().length + 8;
        }
        return bytes;
    }

    private ProducerRecord<byte[], byte[]> record(
            Topic topic, int partition, String key, Optional<byte[]> value, Headers headers) {
        return new ProducerRecord<>(layout.name(topic), partition, key.getBytes(UTF_8), value.orElse(null), headers);
    }

    /** One emission on its way into records. */
    private final class Draft {
        private final ShardKey shard;
        private final ObjectKey key;
        private final String version;
        private final Optional<Selection> selection;
        private final Emission emission;
        private final Optional<ScannedObject> sighted;
        private final Instant observedAt;
        private final String id;
        private final int partition;

        Draft(About about, Emission emission, Optional<ScannedObject> sighted, Instant observedAt) {
            this.shard = about.shard();
            this.key = about.key();
            this.version = about.version();
            this.selection = about.selection().marker();
            this.emission = emission;
            this.sighted = sighted;
            this.observedAt = observedAt;
            this.id = ChangeEvent.id(
                    key.cluster(),
                    emission.life().epoch(),
                    emission.life().uid(),
                    emission.life().resourceVersion().toString(),
                    emission.type());
            this.partition = Partitioner.partition(key, layout.partitions());
        }

        List<ProducerRecord<byte[], byte[]>> records(Optional<String> omitted) {
            return List.of(event(omitted), object(omitted));
        }

        private ProducerRecord<byte[], byte[]> event(Optional<String> omitted) {
            var headers = new RecordHeaders();
            String source = CloudEventHeaders.source(shard.cluster(), shard.group(), shard.resource());
            CloudEventHeaders.addEvent(headers, id, source, emission.type(), key.subject(), observedAt);
            byte[] object = omitted.isPresent() || sighted.isEmpty()
                    ? new byte[0]
                    : sighted.get().json();
            byte[] value = EnvelopeWriter.write(envelope(omitted, actors()), object);
            if (value.length - object.length > maxRecordBytes / 2) {
                // thousands of field managers: no one reads them
                value = EnvelopeWriter.write(envelope(omitted, List.of()), object);
            }
            return record(Topic.EVENTS, partition, key.toString(), Optional.of(value), headers);
        }

        private ProducerRecord<byte[], byte[]> object(Optional<String> omitted) {
            boolean deleted = emission.type() == ChangeType.DELETED;
            var headers = new RecordHeaders();
            new ObjectHeaders(
                            id,
                            emission.type(),
                            emission.origin(),
                            emission.life().epoch(),
                            emission.life().uid(),
                            emission.life().resourceVersion().toString(),
                            emission.life().generation(),
                            emission.changed(),
                            observedAt,
                            selection,
                            deleted ? Optional.empty() : omitted)
                    .addTo(headers);
            Optional<byte[]> value = deleted
                    ? Optional.empty()
                    : Optional.of(
                            omitted.isPresent() ? stub() : sighted.orElseThrow().json());
            return record(Topic.OBJECTS, partition, key.toString(), value, headers);
        }

        private List<Actor> actors() {
            return sighted.map(ScannedObject::actors).orElse(List.of());
        }

        private ChangeEvent envelope(Optional<String> omitted, List<Actor> actors) {
            return new ChangeEvent(
                    key.cluster(),
                    emission.life().epoch(),
                    key.group(),
                    version,
                    key.kind(),
                    key.namespace(),
                    key.name(),
                    emission.life().uid(),
                    emission.life().resourceVersion().toString(),
                    emission.life().generation(),
                    emission.type(),
                    emission.origin(),
                    emission.changed(),
                    emission.sighted(),
                    observedAt,
                    actors,
                    selection,
                    Optional.empty(),
                    omitted);
        }

        /** What stands on {@code objects} for an object that is too large. */
        private byte[] stub() {
            var metadata = new java.util.LinkedHashMap<String, Object>();
            metadata.put("name", key.name());
            if (!key.namespace().isEmpty()) {
                metadata.put("namespace", key.namespace());
            }
            metadata.put("uid", emission.life().uid());
            metadata.put("resourceVersion", emission.life().resourceVersion().toString());
            emission.life().generation().ifPresent(generation -> metadata.put("generation", generation));
            var stub = new java.util.LinkedHashMap<String, Object>();
            stub.put("apiVersion", key.group().isEmpty() ? version : key.group() + "/" + version);
            stub.put("kind", key.kind());
            stub.put("metadata", Map.copyOf(metadata));
            return Json.write(stub);
        }
    }
}
