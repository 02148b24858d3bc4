package io.evenkeel.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class TextLayoutTest {
    @Test
    void givenKeyValues_whenLaidOut_thenOnlyThoseThatNeedItAreQuoted() {
        var event = new LoggingEvent();
        event.setLoggerContext(new LoggerContext());
        event.setLoggerName("io.evenkeel.watcher.stream.WatchLoop");
        event.setLevel(Level.INFO);
        event.setInstant(Instant.parse("2026-11-30T09:14:02.113Z"));
        event.setTimeStamp(Instant.parse("2026-11-30T09:14:02.113Z").toEpochMilli());
        event.setMessage("watch resumed");
        event.addKeyValuePair(new KeyValuePair("cluster", "eu-1"));
        event.addKeyValuePair(new KeyValuePair("cause", "said \"no\"\nand left"));
        var layout = new TextLayout(ZoneOffset.UTC);
        layout.start();

        assertThat(layout.doLayout(event))
                .isEqualTo("2026-11-30 09:14:02.113 INFO  WatchLoop  watch resumed cluster=eu-1"
                        + " cause=\"said \\\"no\\\"\\nand left\"" + System.lineSeparator());
    }
}
