package io.evenkeel.endtoend;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** Writes what our processes log, down to the finest level, and their clients as usual, into a file until it is closed. */
final class CapturedLogs implements AutoCloseable {
    private static final Map<String, Level> LEVELS = Map.ofEntries(
            Map.entry("io.evenkeel.watcher", Level.TRACE),
            Map.entry("io.evenkeel.worker", Level.TRACE),
            Map.entry("io.evenkeel.reconciler", Level.TRACE),
            Map.entry("io.evenkeel.runtime", Level.TRACE),
            Map.entry("io.evenkeel.state", Level.TRACE),
            Map.entry("io.evenkeel.cli", Level.TRACE),
            Map.entry("io.fabric8", Level.INFO),
            Map.entry("org.apache.kafka", Level.INFO));

    private final Path file;
    private final FileAppender<ILoggingEvent> appender = new FileAppender<>();

    CapturedLogs(Path file) {
        this.file = file;
        LoggerContext context = context();
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%level %logger %msg %kvp %ex%n");
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setFile(file.toString());
        appender.start();
        LEVELS.forEach((name, level) -> {
            Logger logger = context.getLogger(name);
            logger.setLevel(level);
            logger.setAdditive(false); // the terminal shall not get it all
            logger.addAppender(appender);
        });
    }

    /** Lines so far. */
    long lines() throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }

    @Override
    public void close() {
        LEVELS.keySet().forEach(name -> {
            Logger logger = context().getLogger(name);
            logger.detachAppender(appender);
            logger.setAdditive(true);
            logger.setLevel(null);
        });
        appender.stop();
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
