package io.evenkeel.sandbox.fault.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is done to one request.
 *
 * @param delays the waits before anything else
 * @param decisive what is done to the request as a whole
 * @param frames what is done to its frames; empty if there is something decisive
 */
public record Plan(
        List<Hit<Fault.Delay>> delays, Optional<Hit<Fault.Decisive>> decisive, List<Hit<Fault.OnFrames>> frames) {
    /** Takes copies. */
    public Plan {
        delays = List.copyOf(delays);
        frames = List.copyOf(frames);
    }

    /**
     * A rule that hit the request.
     *
     * @param rule its name
     * @param fault what it does
     * @param chance of this rule and this request
     * @param <F> kind of fault
     */
    public record Hit<F extends Fault>(String rule, F fault, Chance chance) {}

    /** How long the request waits because of this hit. */
    public static Duration wait(Hit<Fault.Delay> hit) {
        return wait(hit.fault.atLeast(), hit.fault.jitter(), hit.chance.of("wait"));
    }

    /**
     * A wait within its jitter.
     *
     * @return from {@code atLeast} to below {@code atLeast + jitter}
     */
    public static Duration wait(Duration atLeast, Duration jitter, Chance chance) {
        return atLeast.plusNanos((long) (jitter.toNanos() * chance.draw()));
    }
}
