package io.evenkeel.sandbox.fault.frame;

import io.evenkeel.sandbox.fault.rule.Fault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Ends the watch after some frames. */
final class EndStage implements FrameStage {
    private static final ByteBuffer GARBAGE = line("}{ this is not a frame");
    private static final ByteBuffer EXPIRED = error("too old resource version", "Expired", 410);
    private static final ByteBuffer UNAUTHORIZED = error("Unauthorized", "Unauthorized", 401);

    private final String rule;
    private final Fault.EndWatch fault;
    private long passed;

    EndStage(String rule, Fault.EndWatch fault) {
        this.rule = rule;
        this.fault = fault;
    }

    private static ByteBuffer line(String text) {
        return ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
    }

    private static ByteBuffer error(String message, String reason, int code) {
        return line("""
            {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
            "message":"%s","reason":"%s","code":%d}}\
            """.formatted(message, reason, code));
    }

    @Override
    public List<FrameAct> opened() {
        return endIfDue();
    }

    @Override
    public List<FrameAct> frame(ByteBuffer frame) {
        if (passed == fault.afterFrames()) { // only half a frame waits for a frame
            return List.of(count(), new FrameAct.Send(half(frame)), end());
        }
        passed++;
        List<FrameAct> ending = endIfDue();
        return ending.isEmpty()
                ? List.of(new FrameAct.Send(frame))
                : Stream.concat(Stream.of(new FrameAct.Send(frame)), ending.stream())
                        .toList();
    }

    @Override
    public List<FrameAct> ended() {
        return List.of();
    }

    private List<FrameAct> endIfDue() {
        if (passed < fault.afterFrames()) {
            return List.of();
        }
        return switch (fault.end()) {
            case CLOSE, CUT, SILENCE -> List.of(count(), end());
            case GARBAGE -> List.of(count(), new FrameAct.Send(GARBAGE), end());
            case EXPIRED -> List.of(count(), new FrameAct.Send(EXPIRED), end());
            case UNAUTHORIZED -> List.of(count(), new FrameAct.Send(UNAUTHORIZED), end());
            case HALF_FRAME -> List.of();
        };
    }

    private FrameAct count() {
        return new FrameAct.Count(rule);
    }

    private FrameAct end() {
        return new FrameAct.End(FrameAct.End.Way.of(fault.end()));
    }

    private static ByteBuffer half(ByteBuffer frame) {
        return frame.slice(frame.position(), frame.remaining() / 2);
    }
}
