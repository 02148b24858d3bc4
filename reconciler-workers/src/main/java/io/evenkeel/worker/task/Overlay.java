package io.evenkeel.worker.task;

import io.evenkeel.worker.attempt.LocalObject;
import io.evenkeel.worker.ledger.Versions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What attempts of one partition wrote and the log does not show yet, so that the next attempt reads it. Only a cache: a
 * write that is missing here, or too old to trust, is read from the API server. Thread-safe.
 */
final class Overlay {
    /** After this the log should long have shown it: perhaps the object is gone, so only the API server knows. */
    private static final Duration TRUSTED = Duration.ofSeconds(30);

    private final Map<String, Map<String, Written>> byKey = new ConcurrentHashMap<>();
    private final Clock clock;

    Overlay(Clock clock) {
        this.clock = clock;
    }

    void put(String controllerKey, List<LocalObject> written) {
        if (written.isEmpty()) {
            return;
        }
        Instant now = clock.instant();
        byKey.compute(controllerKey, (key, before) -> {
            Map<String, Written> all = before == null ? new HashMap<>() : new HashMap<>(before);
            written.forEach(object -> all.put(object.key(), new Written(object, now)));
            return all;
        });
    }

    /** A write of that version or a later one. */
    Optional<LocalObject> find(String controllerKey, String objectKey, String resourceVersion) {
        return Optional.ofNullable(byKey.get(controllerKey))
                .map(written -> written.get(objectKey))
                .filter(written -> written.at().plus(TRUSTED).isAfter(clock.instant()))
                .map(Written::object)
                .filter(object -> !Versions.isAfter(resourceVersion, object.resourceVersion()));
    }

    /** Drops what {@link #find} no longer gives. */
    void forgetOld() {
        Instant limit = clock.instant().minus(TRUSTED);
        byKey.values()
                .removeIf(written ->
                        written.values().stream().noneMatch(each -> each.at().isAfter(limit)));
    }

    /** Keys with a write, for tests. */
    int size() {
        return byKey.size();
    }

    void forget(String controllerKey) {
        if (!byKey.isEmpty()) {
            byKey.remove(controllerKey);
        }
    }

    private record Written(LocalObject object, Instant at) {}
}
