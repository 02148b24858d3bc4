package io.evenkeel.api.record;

import java.time.Duration;

/** The buckets of the timing wheel that the retry topics form; a record waits in one for at most its delay. */
public enum RetryTier {
    /** 100 ms. */
    MILLIS_100("100ms", Duration.ofMillis(100)),
    /** 500 ms. */
    MILLIS_500("500ms", Duration.ofMillis(500)),
    /** 2 s. */
    SECONDS_2("2s", Duration.ofSeconds(2)),
    /** 10 s. */
    SECONDS_10("10s", Duration.ofSeconds(10)),
    /** 1 min. */
    MINUTE_1("1m", Duration.ofMinutes(1)),
    /** 10 min. */
    MINUTES_10("10m", Duration.ofMinutes(10)),
    /** 1 h. */
    HOUR_1("1h", Duration.ofHours(1));

    private final String label;
    private final Duration delay;

    RetryTier(String label, Duration delay) {
        this.label = label;
        this.delay = delay;
    }

    /** The tier's part of the topic name, such as {@code 500ms}. */
    public String label() {
        return label;
    }

    /** How long a record waits here at most. */
    public Duration delay() {
        return delay;
    }

    /** The largest tier that is not longer than {@code remaining}; the smallest one for anything below it. */
    public static RetryTier forDelay(Duration remaining) {
        RetryTier chosen = MILLIS_100;
        for (RetryTier tier : values()) {
            if (tier.delay.compareTo(remaining) <= 0) {
                chosen = tier;
            }
        }
        return chosen;
    }
}
