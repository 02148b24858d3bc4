package io.evenkeel.sandbox.fault.frame;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Lets the chosen frames be overtaken by the one behind them. */
final class SwapStage implements FrameStage {
    private final String rule;
    private final FrameChoice choice;
    private Optional<ByteBuffer> held = Optional.empty();

    SwapStage(String rule, FrameChoice choice) {
        this.rule = rule;
        this.choice = choice;
    }

    @Override
    public List<FrameAct> opened() {
        return List.of();
    }

    @Override
    public List<FrameAct> frame(ByteBuffer frame) {
        if (held.isPresent()) {
            choice.pass();
            ByteBuffer late = held.get();
            held = Optional.empty();
            return List.of(new FrameAct.Count(rule), new FrameAct.Send(frame), new FrameAct.Send(late));
        }
        if (choice.next()) {
            held = Optional.of(frame);
            return List.of();
        }
        return List.of(new FrameAct.Send(frame));
    }

    /** No frame came to overtake: it arrives after all, and nothing is counted. */
    @Override
    public List<FrameAct> ended() {
        return held.<List<FrameAct>>map(frame -> List.of(new FrameAct.Send(frame)))
                .orElse(List.of());
    }
}
