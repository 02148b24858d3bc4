package io.evenkeel.sandbox.kube.api;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes the identities of objects. Stateless. */
public final class Uid {
    private Uid() {}

    /** A random UUID (RFC 9562, version 4) from that source, so that one seed gives one history. */
    public static String from(RandomGenerator random) {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }
}
