package io.evenkeel.sandbox.fault.frame;

import io.evenkeel.sandbox.fault.rule.Chance;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;

/** Does something else with the chosen frames than to send them; needs to remember none. */
final class EachStage implements FrameStage {
    private final FrameChoice choice;
    private final BiFunction<ByteBuffer, Chance, List<FrameAct>> instead;

    EachStage(FrameChoice choice, BiFunction<ByteBuffer, Chance, List<FrameAct>> instead) {
        this.choice = choice;
        this.instead = instead;
    }

    @Override
    public List<FrameAct> opened() {
        return List.of();
    }

    @Override
    public List<FrameAct> frame(ByteBuffer frame) {
        return choice.next() ? instead.apply(frame, choice.chance().of("wait")) : List.of(new FrameAct.Send(frame));
    }

    @Override
    public List<FrameAct> ended() {
        return List.of();
    }
}
