package io.evenkeel.sandbox.fault.rule;

import java.util.SplittableRandom;

/**
 * A random number that depends on a seed and on what it is drawn for, and on nothing else: requests that race each
 * other cannot change one another's luck, as they would if they shared a generator.
 *
 * @param seed of this draw
 */
public record Chance(long seed) {

    /** The chance of a part: another rule, another request, another frame. */
    public Chance of(long part) {
        return new Chance(new SplittableRandom(seed).nextLong() ^ part);
    }

    /** The chance of a named part. */
    public Chance of(String part) {
        return of(part.hashCode()); // the algorithm of String.hashCode is part of its contract
    }

    /** @return from 0 to below 1, always the same */
    public double draw() {
        return new SplittableRandom(seed).nextDouble();
    }
}
