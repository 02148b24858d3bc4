package io.evenkeel.sandbox.kube.store;

/**
 * One state of one object: its JSON without {@code apiVersion} and {@code kind}, which its type knows. Immutable to its
 * users; how the bytes are kept may change. They are shared and must not be changed.
 */
public final class Stored {
    private final String key;
    private final long revision;
    private volatile Body body;

    /**
     * @param key {@code namespace/name}, or the name alone
     * @param revision the resourceVersion of this state
     * @param body JSON object in UTF-8
     */
    public Stored(String key, long revision, byte[] body) {
        this.key = key;
        this.revision = revision;
        this.body = new Body.Plain(body);
    }

    public String key() {
        return key;
    }

    public long revision() {
        return revision;
    }

    /** The JSON. Call it once: a state that is no longer new is unpacked each time. */
    public byte[] body() {
        return body.bytes();
    }

    /** Takes less room from now on. */
    void pack(ObjectType type, Packing packing) {
        if (body instanceof Body.Plain plain) {
            packing.pack(type, plain.bytes()).ifPresent(packed -> body = packed);
        }
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
