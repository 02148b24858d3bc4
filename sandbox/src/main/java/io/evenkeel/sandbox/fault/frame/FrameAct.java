package io.evenkeel.sandbox.fault.frame;

import io.evenkeel.sandbox.fault.rule.WatchEnd;
import java.nio.ByteBuffer;
import java.time.Duration;

/** What the shell does next on an open watch; exactly one of these. */
public sealed interface FrameAct {
    /**
     * Sends this to the client.
     *
     * @param frame never changed, neither its bytes nor its position
     */
    record Send(ByteBuffer frame) implements FrameAct {}

    /**
     * Waits.
     *
     * @param duration how long
     */
    record Pause(Duration duration) implements FrameAct {}

    /**
     * Counts that a fault happened; stands before what the client can see of it.
     *
     * @param rule whose fault
     */
    record Count(String rule) implements FrameAct {}

    /**
     * Ends the watch; nothing follows. What had to be sent before, such as half a frame, was sent.
     *
     * @param way how it ends
     */
    record End(Way way) implements FrameAct {
        /** How a watch ends, once all that is sent has been sent. */
        public enum Way {
            /** The stream ends. */
            CLOSE,
            /** The connection breaks. */
            CUT,
            /** It stays open. */
            SILENCE;

            static Way of(WatchEnd end) {
                return switch (end) {
                    case CLOSE, HALF_FRAME, GARBAGE, EXPIRED, UNAUTHORIZED -> CLOSE;
                    case CUT -> CUT;
                    case SILENCE -> SILENCE;
                };
            }
        }
    }
}
