package io.evenkeel.sandbox.fault.frame;

import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Plan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All faults of one watch, one behind the other: what the first sends, the second gets. Does no IO. Not thread-safe.
 */
public final class FrameLine {
    private final List<FrameStage> stages;

    /** @param hits in the order in which frames pass them */
    public FrameLine(List<Plan.Hit<Fault.OnFrames>> hits) {
        this.stages = hits.stream().map(FrameStage::of).toList();
    }

    /** What to do when the watch is open. */
    public List<FrameAct> opened() {
        List<FrameAct> acts = new ArrayList<>();
        for (int stage = 0; stage < stages.size() && !ends(acts); stage++) {
            acts.addAll(through(stage + 1, stages.get(stage).opened()));
        }
        return acts;
    }

    /** What to do when a frame comes. */
    public List<FrameAct> frame(ByteBuffer frame) {
        return through(0, List.of(new FrameAct.Send(frame)));
    }

    /** What to do when the server ends the watch. */
    public List<FrameAct> ended() {
        List<FrameAct> acts = new ArrayList<>();
        for (int stage = 0; stage < stages.size() && !ends(acts); stage++) {
            acts.addAll(through(stage + 1, stages.get(stage).ended()));
        }
        return acts;
    }

    private List<FrameAct> through(int stage, List<FrameAct> acts) {
        if (stage == stages.size()) {
            return acts;
        }
        List<FrameAct> passed = new ArrayList<>();
        for (FrameAct act : acts) {
            if (ends(passed)) {
                break;
            }
            switch (act) {
                case FrameAct.Send send -> passed.addAll(stages.get(stage).frame(send.frame()));
                case FrameAct.Pause pause -> passed.add(pause);
                case FrameAct.Count count -> passed.add(count);
                case FrameAct.End end -> passed.add(end);
            }
        }
        return through(stage + 1, passed);
    }

    private static boolean ends(List<FrameAct> acts) {
        return !acts.isEmpty() && acts.getLast() instanceof FrameAct.End;
    }
}
