package io.evenkeel.worker.attempt;

import io.evenkeel.reconciler.WriteRefusedException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Lets the writes of one partition's attempts pass while this process holds the partition and can prove it, and those of
 * one attempt until that is given up. Once closed it stays closed. Thread-safe.
 */
public final class WriteGate {
    private final Runnable wider;
    private volatile Optional<String> closed = Optional.empty();

    /** @param membershipIsProven false while the group may have given the partition to somebody else */
    public WriteGate(BooleanSupplier membershipIsProven) {
        this(() -> {
            if (!membershipIsProven.getAsBoolean()) {
                throw new WriteRefusedException("this worker cannot prove that it still holds the object");
            }
        });
    }

    private WriteGate(Runnable wider) {
        this.wider = wider;
    }

    /** A gate behind this one, which can be closed alone. */
    WriteGate inner() {
        return new WriteGate(this::check);
    }

    /** Refuses every write from now on. */
    public void close() {
        close("this worker has given the object away");
    }

    /** Refuses every write from now on, for a reason. */
    void close(String why) {
        closed = Optional.of(why);
    }

    /** @throws WriteRefusedException if no write may pass */
    public void check() {
        Optional<String> why = closed;
        if (why.isPresent()) {
            throw new WriteRefusedException(why.get());
        }
        wider.run();
    }
}
