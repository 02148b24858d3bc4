package io.evenkeel.worker.harness;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that is moved by hand. Thread-safe. */
public final class HandClock extends Clock {
    private volatile Instant now;

    public HandClock(Instant start) {
        now = start;
    }

    /** Time passes. Called by one thread. */
    public void pass(Duration time) {
        now = instant().plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
