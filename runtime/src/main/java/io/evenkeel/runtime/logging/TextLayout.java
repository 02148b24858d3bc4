package io.evenkeel.runtime.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.slf4j.event.KeyValuePair;

/**
 * One line for people: {@code 2026-11-30 09:14:02.113 INFO  WatchLoop  watch resumed cluster=eu-1 key="a b"}. Values are
 * quoted only where they need it.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {
    private final DateTimeFormatter time;
    private final ThrowableProxyConverter stackTrace = new ThrowableProxyConverter();

    TextLayout(ZoneId zone) {
        this.time = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(zone);
    }

    @Override
    public void start() {
        stackTrace.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringBuilder(200)
                .append(time.format(Instant.ofEpochMilli(event.getTimeStamp())))
                .append(' ')
                .append(String.format("%-5s", event.getLevel()))
                .append(' ')
                .append(shortName(event.getLoggerName()))
                .append("  ")
                .append(event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                line.append(' ').append(pair.key).append('=').append(quoted(String.valueOf(pair.value)));
            }
        }
        line.append(System.lineSeparator());
        if (event.getThrowableProxy() != null) {
            line.append(stackTrace.convert(event));
        }
        return line.toString();
    }

    private static String shortName(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }

    private static String quoted(String value) {
        boolean plain = !value.isEmpty()
                && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=' || Character.isISOControl(c));
        return plain
                ? value
                : '"'
                        + value.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                                .replace("\r", "\\r")
                        + '"';
    }
}
