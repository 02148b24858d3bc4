package io.evenkeel.sandbox.kube.store;

import java.util.Optional;
import java.util.function.Function;

/** One write. Immutable to its users; thread-safe. */
public final class Change {
    /** What a watch calls it. */
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }

    private static final class Encoded {
        final Object form;
        final byte[] bytes;

        Encoded(Object form, byte[] bytes) {
            this.form = form;
            this.bytes = bytes;
        }
    }

    private final ObjectType type;
    private final Kind kind;
    private final Optional<Stored> before;
    private final Stored after;
    private volatile boolean old;
    private volatile Optional<Encoded> encoded = Optional.empty();

    /**
     * @param before the state that it replaced, if there was one
     * @param after the new state; for a deletion the last one, under the revision of the deletion
     */
    public Change(ObjectType type, Kind kind, Optional<Stored> before, Stored after) {
        this.type = type;
        this.kind = kind;
        this.before = before;
        this.after = after;
    }

    public ObjectType type() {
        return type;
    }

    public Kind kind() {
        return kind;
    }

    public Optional<Stored> before() {
        return before;
    }

    public Stored after() {
        return after;
    }

    public long revision() {
        return after.revision();
    }

    /**
     * What a watch sends for this change, made once for all watches that want the same form, while the change is new.
     * The bytes are shared and must not be changed.
     *
     * @param form equal for equal encodings
     */
    public byte[] encoded(Object form, Function<Change, byte[]> encoder) {
        Optional<Encoded> known = encoded;
        if (known.isPresent() && known.get().form.equals(form)) {
            return known.get().bytes;
        }
        byte[] bytes = encoder.apply(this);
        if (!old && known.isEmpty()) {
            encoded = Optional.of(new Encoded(form, bytes));
            if (old) {
                encoded = Optional.empty(); // it aged in between
            }
        }
        return bytes;
    }

    /** Takes less room from now on: whoever follows closely has seen it. */
    void age(Packing packing) {
        old = true;
        encoded = Optional.empty();
        after.pack(type, packing);
    }
}
