package io.evenkeel.sandbox.fault.rule;

import java.time.Duration;
import java.util.Optional;

/** What goes wrong; exactly one of these. */
public sealed interface Fault {

    /** What is done to a request as a whole. Of several that hit the same request, the first rule's one is done. */
    sealed interface Decisive extends Fault {}

    /** What is done to the frames of a watch. All that hit the same watch are done, in the order of the rules. */
    sealed interface OnFrames extends Fault {}

    /**
     * The request waits before the server sees it; several add up.
     *
     * @param atLeast the shortest wait
     * @param jitter what is added at most
     */
    record Delay(Duration atLeast, Duration jitter) implements Fault {
        /** Checks that neither is negative. */
        public Delay {
            requireNotNegative(atLeast);
            requireNotNegative(jitter);
        }
    }

    /**
     * The server is not asked; the answer is a Status.
     *
     * @param status of HTTP, 400 to 599
     * @param reason in the Status, if not the usual one of that status
     * @param retryAfter whole seconds, as a header and in the Status
     */
    record Answer(int status, Optional<String> reason, Optional<Duration> retryAfter) implements Decisive {
        /** Checks the range. */
        public Answer {
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("status must be 400 to 599 but is " + status);
            }
        }

        /** The same with another reason, such as {@code AlreadyExists}. */
        public Answer because(String newReason) {
            return new Answer(status, Optional.of(newReason), retryAfter);
        }

        /** The same with a time after which the client may come back. */
        public Answer retryAfter(Duration delay) {
            return new Answer(status, reason, Optional.of(delay));
        }
    }

    /** The server is not asked; the answer is 200 and not JSON. */
    record Garbage() implements Decisive {}

    /** The server is not asked, and nothing is ever answered; the connection stays usable for other requests. */
    record NoAnswer() implements Decisive {}

    /** The server is not asked; the connection breaks, and everything else that goes over it. */
    record Cut() implements Decisive {}

    /** The server carries the request out, and then the connection breaks instead of an answer. */
    record LoseAnswer() implements Decisive {}

    /**
     * The body of the answer stops early.
     *
     * @param keepBytes how much of it arrives
     * @param ending whether the answer then ends as if complete, or its connection breaks
     */
    record Truncate(long keepBytes, Ending ending) implements Decisive {
        /** How the answer ends. */
        public enum Ending {
            /** The connection breaks. */
            CUT,
            /** Nothing shows that something is missing, but the JSON itself. */
            CLEAN
        }

        /** Checks the range. */
        public Truncate {
            requireNotNegative(keepBytes);
        }
    }

    /**
     * A list or a watch is answered as by a server whose cache lags behind.
     *
     * @param changesBehind at least how many of the newest changes of this collection are not seen
     */
    record StaleView(int changesBehind) implements Decisive {
        /** Checks the range. */
        public StaleView {
            if (changesBehind < 1) {
                throw new IllegalArgumentException("changes-behind must be 1 or more but is " + changesBehind);
            }
        }
    }

    /**
     * The whole cluster can't be reached from this request on.
     *
     * @param darkness what clients see of it
     * @param lasting until it comes back by itself; if absent until it is told to
     */
    record Blackout(Darkness darkness, Optional<Duration> lasting) implements Decisive {}

    /**
     * Frames do not arrive.
     *
     * @param which of the frames
     */
    record DropFrames(Trigger which) implements OnFrames {}

    /**
     * Frames arrive twice in a row.
     *
     * @param which of the frames
     */
    record DuplicateFrames(Trigger which) implements OnFrames {}

    /**
     * Frames arrive after the frame that follows them.
     *
     * @param which of the frames; the one that overtakes is counted, but never hit itself
     */
    record SwapFrames(Trigger which) implements OnFrames {}

    /**
     * Frames wait, and those behind them too.
     *
     * @param which of the frames
     * @param atLeast the shortest wait
     * @param jitter what is added at most
     */
    record DelayFrames(Trigger which, Duration atLeast, Duration jitter) implements OnFrames {
        /** Checks that neither is negative. */
        public DelayFrames {
            requireNotNegative(atLeast);
            requireNotNegative(jitter);
        }
    }

    /**
     * The watch ends early.
     *
     * @param afterFrames how many frames arrive before; 0 for none
     * @param end how it ends
     */
    record EndWatch(long afterFrames, WatchEnd end) implements OnFrames {
        /** Checks the range. */
        public EndWatch {
            requireNotNegative(afterFrames);
        }
    }

    /** True if this fault can be done to such a request. */
    default boolean concerns(KubeRequest request) {
        return switch (this) {
            case OnFrames frames -> request.verb() == Verb.WATCH;
            // a continued list belongs to a snapshot that the server keeps
            case StaleView stale ->
                (request.verb() == Verb.LIST || request.verb() == Verb.WATCH)
                        && !request.query().containsKey("continue");
            case LoseAnswer lose -> request.verb() != Verb.WATCH; // whose answer has no end
            case Delay delay -> true;
            case Decisive other -> true;
        };
    }

    /** A wait of exactly this. */
    static Delay delay(Duration duration) {
        return new Delay(duration, Duration.ZERO);
    }

    /** An answer with this status, 400 to 599. */
    static Answer answer(int status) {
        return new Answer(status, Optional.empty(), Optional.empty());
    }

    /** An early end of a watch. */
    static EndWatch endAfter(long frames, WatchEnd end) {
        return new EndWatch(frames, end);
    }

    private static void requireNotNegative(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("a wait must not be negative but is " + duration);
        }
    }

    private static void requireNotNegative(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("a number of bytes or frames must be 0 or more but is " + number);
        }
    }
}
