package io.evenkeel.api.record;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * What the headers of a record on {@code objects} say; a tombstone carries them too. The record's value is the object's
 * JSON without {@code managedFields}, or, where {@code objectOmitted} is present, only its apiVersion, kind and the
 * metadata that names it.
 *
 * @param eventId id of the change event that brought this state
 * @param type what happened; DELETED for a tombstone
 * @param origin how it became known
 * @param epoch epoch of the cluster
 * @param uid uid of the life that this state belongs to
 * @param resourceVersion of this state
 * @param generation absent for kinds that have none
 * @param changed sections that differ from the state before
 * @param observedAt by the watcher's clock
 * @param selection what the watch sees, if not everything; see {@link ChangeEvent}
 * @param objectOmitted why the value is not the whole object
 */
public record ObjectHeaders(
        String eventId,
        ChangeType type,
        Origin origin,
        long epoch,
        String uid,
        String resourceVersion,
        Optional<Long> generation,
        List<String> changed,
        Instant observedAt,
        Optional<Selection> selection,
        Optional<String> objectOmitted) {
    private static final String EVENT = "event";
    private static final String TYPE = "type";
    private static final String ORIGIN = "origin";
    private static final String EPOCH = "epoch";
    private static final String UID = "uid";
    private static final String RESOURCE_VERSION = "resourceVersion";
    private static final String GENERATION = "generation";
    private static final String CHANGED = "changed";
    private static final String TIME = "time";
    private static final String SELECTION = "selection";
    private static final String OBJECT_OMITTED = "objectOmitted";

    /** Takes a copy of the list. */
    public ObjectHeaders {
        changed = List.copyOf(changed);
    }

    /** Adds these to {@code headers}. */
    public void addTo(Headers headers) {
        add(headers, EVENT, eventId);
        add(headers, TYPE, type.name());
        add(headers, ORIGIN, origin.name());
        add(headers, EPOCH, Long.toString(epoch));
        add(headers, UID, uid);
        add(headers, RESOURCE_VERSION, resourceVersion);
        generation.ifPresent(value -> add(headers, GENERATION, Long.toString(value)));
        add(headers, CHANGED, String.join(",", changed));
        add(headers, TIME, Timestamps.format(observedAt));
        selection.ifPresent(value -> add(headers, SELECTION, new String(Json.write(value), StandardCharsets.UTF_8)));
        objectOmitted.ifPresent(value -> add(headers, OBJECT_OMITTED, value));
    }

    /**
     * Reads what {@link #addTo} wrote.
     *
     * @throws IllegalArgumentException if a header is missing or malformed
     */
    public static ObjectHeaders from(Headers headers) {
        // One walk: looking each of them up would walk through all of them each time.
        Map<String, String> texts = HashMap.newHashMap(16);
        for (Header header : headers) {
            if (header.value() != null) {
                texts.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        String changed = text(texts, CHANGED);
        return new ObjectHeaders(
                text(texts, EVENT),
                ChangeType.valueOf(text(texts, TYPE)),
                Origin.valueOf(text(texts, ORIGIN)),
                Long.parseLong(text(texts, EPOCH)),
                text(texts, UID),
                text(texts, RESOURCE_VERSION),
                Optional.ofNullable(texts.get(GENERATION)).map(Long::valueOf),
                changed.isEmpty() ? List.of() : List.of(changed.split(",")),
                Timestamps.parse(text(texts, TIME)),
                Optional.ofNullable(texts.get(SELECTION))
                        .map(json -> Json.read(json.getBytes(StandardCharsets.UTF_8), Selection.class)),
                Optional.ofNullable(texts.get(OBJECT_OMITTED)));
    }

    /**
     * Whether the record says that the object is no longer seen although it may live on, because it left the selection.
     *
     * @param namespace of the object
     */
    public boolean mayLiveOn(String namespace) {
        return type == ChangeType.DELETED
                && selection.filter(seen -> !seen.provesDeletion(namespace)).isPresent();
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Map<String, String> texts, String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new IllegalArgumentException("a record on objects lacks the header " + name);
        }
        return text;
    }
}
