package io.evenkeel.sandbox.fault.frame;

import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Plan;
import java.nio.ByteBuffer;
import java.util.List;

/** One fault on one watch. Holds what it must remember of this watch and does no IO. Not thread-safe. */
interface FrameStage {
    /** When the watch is open and no frame has come yet. */
    List<FrameAct> opened();

    /** When a frame comes. */
    List<FrameAct> frame(ByteBuffer frame);

    /** When the server ends the watch. */
    List<FrameAct> ended();

    static FrameStage of(Plan.Hit<Fault.OnFrames> hit) {
        return switch (hit.fault()) {
            case Fault.EndWatch end -> new EndStage(hit.rule(), end);
            case Fault.SwapFrames swap -> new SwapStage(hit.rule(), new FrameChoice(swap.which(), hit.chance()));
            case Fault.DropFrames drop ->
                new EachStage(
                        new FrameChoice(drop.which(), hit.chance()),
                        (frame, chance) -> List.of(new FrameAct.Count(hit.rule())));
            case Fault.DuplicateFrames duplicate ->
                new EachStage(
                        new FrameChoice(duplicate.which(), hit.chance()),
                        (frame, chance) -> List.of(
                                new FrameAct.Count(hit.rule()), new FrameAct.Send(frame), new FrameAct.Send(frame)));
            case Fault.DelayFrames delay ->
                new EachStage(
                        new FrameChoice(delay.which(), hit.chance()),
                        (frame, chance) -> List.of(
                                new FrameAct.Count(hit.rule()),
                                new FrameAct.Pause(Plan.wait(delay.atLeast(), delay.jitter(), chance)),
                                new FrameAct.Send(frame)));
        };
    }
}
