package io.evenkeel.api.record;

import io.evenkeel.api.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The CloudEvents 1.0 headers (Kafka protocol binding, binary mode) of records on {@code events}. */
public final class CloudEventHeaders {
    /** Version of the specification. */
    public static final String SPEC_VERSION = "ce_specversion";

    /** Deterministic id: equal for duplicates. */
    public static final String ID = "ce_id";

    /** {@code /clusters/<cluster>/apis/<group>/<resource>}. */
    public static final String SOURCE = "ce_source";

    /** {@code io.evenkeel.object.added|modified|deleted}, or {@value Gap#CLOUD_EVENT_TYPE}. */
    public static final String TYPE = "ce_type";

    /** {@code <namespace>/<name>}. */
    public static final String SUBJECT = "ce_subject";

    /** When the watcher observed it. */
    public static final String TIME = "ce_time";

    /** Id of the JSON Schema of the value. */
    public static final String DATA_SCHEMA = "ce_dataschema";

    /** Always {@code application/json}. */
    public static final String CONTENT_TYPE = "content-type";

    /** W3C trace context. */
    public static final String TRACE_PARENT = "traceparent";

    private static final byte[] ONE_ZERO = bytes("1.0");
    private static final byte[] JSON = bytes("application/json");
    private static final byte[] EVENT_SCHEMA = bytes(Schemas.CHANGE_EVENT.id());
    private static final byte[] GAP_SCHEMA = bytes(Schemas.GAP.id());

    private CloudEventHeaders() {}

    /** Adds the headers of a change event. */
    public static void addEvent(
            Headers headers, String id, String source, ChangeType type, String subject, Instant observedAt) {
        add(headers, id, source, type.cloudEventType(), subject, observedAt, EVENT_SCHEMA);
    }

    /** Adds the headers of a gap marker; its subject is the resource. */
    public static void addGap(Headers headers, Gap gap) {
        String source = source(gap.cluster(), gap.group(), gap.resource());
        add(headers, gap.id(), source, Gap.CLOUD_EVENT_TYPE, gap.resource(), gap.observedAt(), GAP_SCHEMA);
    }

    /** {@code /clusters/<cluster>/apis/<group or core>/<resource>}. */
    public static String source(String cluster, String group, String resource) {
        return "/clusters/" + cluster + "/apis/" + (group.isEmpty() ? "core" : group) + "/" + resource;
    }

    /** The text of the last header of that name, if there is one. */
    public static Optional<String> text(Headers headers, String name) {
        return Optional.ofNullable(headers.lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, StandardCharsets.UTF_8));
    }

    private static void add(
            Headers headers, String id, String source, String type, String subject, Instant time, byte[] schema) {
        headers.add(SPEC_VERSION, ONE_ZERO)
                .add(ID, bytes(id))
                .add(SOURCE, bytes(source))
                .add(TYPE, bytes(type))
                .add(SUBJECT, bytes(subject))
                .add(TIME, bytes(Timestamps.format(time)))
                .add(DATA_SCHEMA, schema)
                .add(CONTENT_TYPE, JSON);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
