package io.evenkeel.sandbox.kube.store;

/**
 * One state of one object: its JSON without {@code apiVersion} and {@code kind}, which its type knows. Immutable; the
 * bytes are shared by the store, its history and every stream, and must not be changed.
 */
public final class Stored {
    private final String key;
    private final long revision;
    private final byte[] body;

    /**
     * @param key {@code namespace/name}, or the name alone
     * @param revision the resourceVersion of this state
     * @param body JSON object in UTF-8
     */
    public Stored(String key, long revision, byte[] body) {
        this.key = key;
        this.revision = revision;
        this.body = body;
    }

    public String key() {
        return key;
    }

    public long revision() {
        return revision;
    }

    public byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
