package io.evenkeel.worker.attempt;

import io.evenkeel.reconciler.WriteRefusedException;
import java.util.function.BooleanSupplier;

/**
 * Lets the writes of one partition's attempts pass while this process holds the partition and can prove it. Once closed
 * it stays closed. Thread-safe.
 */
public final class WriteGate {
    private final BooleanSupplier membershipIsProven;
    private volatile boolean closed;

    /** @param membershipIsProven false while the group may have given the partition to somebody else */
    public WriteGate(BooleanSupplier membershipIsProven) {
        this.membershipIsProven = membershipIsProven;
    }

    /** Refuses every write from now on. */
    public void close() {
        closed = true;
    }

    /** @throws WriteRefusedException if no write may pass */
    public void check() {
        if (closed) {
            throw new WriteRefusedException("this worker has given the object away");
        }
        if (!membershipIsProven.getAsBoolean()) {
            throw new WriteRefusedException("this worker cannot prove that it still holds the object");
        }
    }
}
