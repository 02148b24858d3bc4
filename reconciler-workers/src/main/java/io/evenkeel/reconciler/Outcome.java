package io.evenkeel.reconciler;

import java.time.Duration;
import java.util.Optional;

/** What one reconcile decided; exactly one of these. Each may carry a status, written only if it differs. */
public sealed interface Outcome {
    /** The status to be written, if there is one. */
    Optional<Object> status();

    /**
     * The same decision with a status for the primary: the Java object of its {@code status} field. Only a difference
     * is sent, to the status subresource.
     */
    Outcome withStatus(Object status);

    /** The object is as its spec wants it. */
    static Done done() {
        return new Done(Optional.empty());
    }

    /**
     * Nothing more to do until something changes; the change wakes the object.
     *
     * @param reason what it waits for, such as {@code DeploymentNotReady}
     */
    static Waiting waiting(String reason) {
        return new Waiting(reason, Optional.empty());
    }

    /** To be called again after {@code delay}, or earlier if something changes. The wish survives a crash. */
    static RequeueAfter requeueAfter(Duration delay) {
        return requeueAfter(delay, "");
    }

    /** As {@link #requeueAfter(Duration)}, with a reason for people. */
    static RequeueAfter requeueAfter(Duration delay, String reason) {
        return new RequeueAfter(delay, reason, Optional.empty());
    }

    /** Failed; tried again with backoff while attempts are left, as if an exception had been thrown. */
    static Retry retry(String reason) {
        return new Retry(reason, Optional.empty());
    }

    /** Failed in a way that no further attempt can mend: parked until its spec changes or a person redrives it. */
    static Failed failed(String reason) {
        return new Failed(reason, Optional.empty());
    }

    /**
     * As its spec wants it.
     *
     * @param status to be written
     */
    record Done(Optional<Object> status) implements Outcome {
        @Override
        public Done withStatus(Object newStatus) {
            return new Done(Optional.of(newStatus));
        }
    }

    /**
     * Waits for a change.
     *
     * @param reason for people
     * @param status to be written
     */
    record Waiting(String reason, Optional<Object> status) implements Outcome {
        @Override
        public Waiting withStatus(Object newStatus) {
            return new Waiting(reason, Optional.of(newStatus));
        }
    }

    /**
     * Waits for a time.
     *
     * @param delay from now
     * @param reason for people
     * @param status to be written
     */
    record RequeueAfter(Duration delay, String reason, Optional<Object> status) implements Outcome {
        /** @throws IllegalArgumentException if the delay is negative */
        public RequeueAfter {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("a requeue's delay must not be negative but is " + delay);
            }
        }

        @Override
        public RequeueAfter withStatus(Object newStatus) {
            return new RequeueAfter(delay, reason, Optional.of(newStatus));
        }
    }

    /**
     * Failed for now.
     *
     * @param reason for people
     * @param status to be written
     */
    record Retry(String reason, Optional<Object> status) implements Outcome {
        @Override
        public Retry withStatus(Object newStatus) {
            return new Retry(reason, Optional.of(newStatus));
        }
    }

    /**
     * Failed for good.
     *
     * @param reason for people
     * @param status to be written
     */
    record Failed(String reason, Optional<Object> status) implements Outcome {
        @Override
        public Failed withStatus(Object newStatus) {
            return new Failed(reason, Optional.of(newStatus));
        }
    }
}
