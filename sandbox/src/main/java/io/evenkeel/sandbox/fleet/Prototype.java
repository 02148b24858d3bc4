package io.evenkeel.sandbox.fleet;

import io.evenkeel.sandbox.kube.cluster.Cluster;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Packing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the server makes of the objects of one kind, new and changed, as templates of the stored form. The server takes
 * half a millisecond to create or to change an object, a template some microseconds.
 *
 * <p>Beside the placeholders of the kind there are {@code uid}, {@code time} and {@code revision}; in a changed object
 * also {@code newdigit}, {@code newtime} and the number of the change.
 *
 * @param created a new object
 * @param changed the same after one change or more
 */
record Prototype(Template created, Template changed) {
    /** Values that stand for nothing else in an object, so that they are found again in what is stored. */
    private static final Map<String, String> MARKS = Map.of(
            "name", "zzz-name",
            "namespace", "zzz-namespace",
            "app", "zzz-app",
            "hash", "f00000000000000d",
            "digit", "7357");

    private static final String NEW_DIGIT = "8461";
    private static final String CHANGE = "90007009";
    private static final Instant CREATED_AT = Instant.parse("2001-01-01T01:01:01Z");
    private static final Instant CHANGED_AT = Instant.parse("2002-02-02T02:02:02Z");

    /** Finds out the prototypes of all kinds, by their plural, in a cluster of its own. */
    static Map<String, Prototype> all() {
        var now = new AtomicReference<>(CREATED_AT);
        InstantSource time = now::get;
        Map<String, Prototype> prototypes = new HashMap<>();
        try (Cluster cluster = new Cluster(new Cluster.Settings(
                Optional.empty(),
                1,
                false,
                Duration.ZERO,
                time.withZone(ZoneOffset.UTC),
                new SplittableRandom(0),
                new Packing()))) {
            var requests = new Requests(cluster);
            requests.prepare(List.of(mark("namespace")));
            for (FleetKind kind : FleetKind.all()) {
                now.set(CREATED_AT);
                requests.create(kind, mark("namespace"), kind.object().fill(MARKS));
                Template created = stored(requests, kind);
                now.set(CHANGED_AT);
                requests.change(
                        kind, mark("namespace"), mark("name"), kind.change().fill(change()));
                prototypes.put(kind.plural(), new Prototype(created, stored(requests, kind)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a cluster without a folder did not start", e);
        }
        return prototypes;
    }

    private static String mark(String placeholder) {
        return MARKS.getOrDefault(placeholder, "");
    }

    private static Map<String, String> change() {
        Map<String, String> values = new HashMap<>(MARKS);
        values.put("digit", NEW_DIGIT);
        values.put("change", CHANGE);
        return values;
    }

    private static Template stored(Requests requests, FleetKind kind) {
        ObjectNode object = Json.parseObject(requests.read(kind, mark("namespace"), mark("name")));
        object.remove(List.of("kind", "apiVersion"));
        ObjectNode metadata = Json.metadata(object);
        String uid = Json.text(metadata, "uid");
        metadata.put("resourceVersion", "$revision"); // a small number, which could stand for anything
        Map<String, String> placeholders = new LinkedHashMap<>();
        MARKS.forEach((placeholder, mark) -> placeholders.put(mark, "$" + placeholder));
        placeholders.put(uid, "$uid");
        placeholders.put(CREATED_AT.toString(), "$time");
        placeholders.put(CHANGED_AT.toString(), "$newtime");
        placeholders.put(NEW_DIGIT, "$newdigit");
        placeholders.put(CHANGE, "$change");
        String text = new String(Json.bytes(object), StandardCharsets.UTF_8);
        for (Map.Entry<String, String> placeholder : placeholders.entrySet()) {
            text = text.replace(placeholder.getKey(), placeholder.getValue());
        }
        return Template.of(text);
    }
}
