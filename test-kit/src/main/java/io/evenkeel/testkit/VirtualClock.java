package io.evenkeel.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that is moved by hand, by one thread; any thread may read it. */
final class VirtualClock extends Clock {
    private volatile Instant now;

    VirtualClock(Instant start) {
        now = start;
    }

    void pass(Duration time) {
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
