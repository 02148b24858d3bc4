package io.evenkeel.sandbox.kube.store;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps bodies small by what they have in common with another body of the same type, from which little but names, uids
 * and times differs. Stores of many clusters share one packing, and so the dictionaries. Thread-safe.
 */
public final class Packing {
    /** Below this it saves less than it costs. */
    private static final int SMALLEST = 256;

    /** A body that shrinks to no less than this share, in percent, is unlike its dictionary and becomes the next one. */
    private static final int BAD_PERCENT = 40;

    /** So that bodies that resemble nothing, such as random bytes, don't fill the heap with dictionaries. */
    private static final int MOST_PER_TYPE = 8;

    private record Newest(Dictionary dictionary, int count) {}

    private final Map<ObjectType, Newest> dictionaries = new ConcurrentHashMap<>();

    /** A form of the body that takes less room; empty if there is none. */
    Optional<Body> pack(ObjectType type, byte[] body) {
        if (body.length < SMALLEST) {
            return Optional.empty();
        }
        Newest newest = dictionaries.computeIfAbsent(type, first -> new Newest(new Dictionary(body), 1));
        byte[] packed = newest.dictionary().pack(body);
        if (packed.length * 100L > body.length * (long) BAD_PERCENT && newest.count() < MOST_PER_TYPE) {
            dictionaries.replace(type, newest, new Newest(new Dictionary(body), newest.count() + 1));
        }
        return packed.length < body.length
                ? Optional.of(new Body.Packed(packed, body.length, newest.dictionary()))
                : Optional.empty();
    }
}
