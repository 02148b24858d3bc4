package io.evenkeel.runtime.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.FilterReply;
import ch.qos.logback.core.util.FileSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.LoggerFactory;

/**
 * Sets up Logback for a process of ours. An application that brings its own Logback configuration (a file on the class
 * path, or {@code logback.configurationFile}) keeps it: then nothing here has an effect.
 */
public final class LogSetup {
    private static final String OURS = "io.evenkeel";

    private LogSetup() {}

    /** Logs to standard error. */
    public static void toStandardError(LogSettings settings) {
        if (!OwnConfiguration.exists()) {
            configure(context(), settings, standardError(context(), settings.format(), Level.TRACE));
        }
    }

    /**
     * Logs to a file, which is rolled at 20 MB and kept five times; standard error gets our own
     * warnings and errors only, because those of libraries are about what we handle.
     *
     * @param file its folder is created where it is missing
     */
    public static void toFile(LogSettings settings, Path file) {
        if (OwnConfiguration.exists()) {
            return;
        }
        LoggerContext context = context();
        Appender<ILoggingEvent> person = standardError(context, LogSettings.Format.TEXT, Level.WARN);
        person.addFilter(new OursOnly());
        configure(context, settings, file(context, settings.format(), file), person);
    }

    /** Logs our own errors only, to standard error: for commands that answer and end. */
    public static void quiet() {
        if (!OwnConfiguration.exists()) {
            LoggerContext context = context();
            configure(
                    context,
                    new LogSettings(LogSettings.Format.TEXT, LogSettings.Level.ERROR),
                    standardError(context, LogSettings.Format.TEXT, Level.ERROR));
            // What libraries would say is said by the command itself, in a sentence.
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
        }
    }

    @SafeVarargs
    static void configure(LoggerContext context, LogSettings settings, Appender<ILoggingEvent>... appenders) {
        context.reset();
        Level ours = Level.toLevel(settings.level().name());
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(ours.isGreaterOrEqual(Level.WARN) ? ours : Level.WARN);
        context.getLogger(OURS).setLevel(ours);
        for (Appender<ILoggingEvent> appender : appenders) {
            root.addAppender(appender);
        }
    }

    static Appender<ILoggingEvent> standardError(LoggerContext context, LogSettings.Format format, Level least) {
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setName("standard error");
        appender.setTarget("System.err");
        return started(appender, context, format, least);
    }

    private static Appender<ILoggingEvent> file(LoggerContext context, LogSettings.Format format, Path file) {
        var appender = new RollingFileAppender<ILoggingEvent>();
        appender.setName("file");
        appender.setFile(file.toString());
        var rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(appender);
        rolling.setFileNamePattern(file + ".%i.gz");
        rolling.setMinIndex(1);
        rolling.setMaxIndex(5);
        rolling.start();
        var size = new SizeBasedTriggeringPolicy<ILoggingEvent>();
        size.setContext(context);
        size.setMaxFileSize(new FileSize(20 * FileSize.MB_COEFFICIENT));
        size.start();
        appender.setRollingPolicy(rolling);
        appender.setTriggeringPolicy(size);
        return started(appender, context, format, Level.TRACE);
    }

    private static Appender<ILoggingEvent> started(
            OutputStreamAppender<ILoggingEvent> appender,
            LoggerContext context,
            LogSettings.Format format,
            Level least) {
        appender.setContext(context);
        appender.setEncoder(encoder(context, format));
        var threshold = new ThresholdFilter();
        threshold.setLevel(least.levelStr);
        threshold.start();
        appender.addFilter(threshold);
        appender.start();
        return appender;
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, LogSettings.Format format) {
        return switch (format) {
            case TEXT -> {
                var layout = new TextLayout(ZoneId.systemDefault());
                layout.setContext(context);
                layout.start();
                var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
                encoder.setContext(context);
                encoder.setCharset(StandardCharsets.UTF_8);
                encoder.setLayout(layout);
                encoder.start();
                yield encoder;
            }
            case JSON -> {
                var encoder = new LogstashEncoder();
                encoder.setContext(context);
                encoder.start();
                yield encoder;
            }
        };
    }

    /** Lets only what our own loggers say pass. */
    private static final class OursOnly extends Filter<ILoggingEvent> {
        @Override
        public FilterReply decide(ILoggingEvent event) {
            return event.getLoggerName().startsWith(OURS + ".") ? FilterReply.NEUTRAL : FilterReply.DENY;
        }
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
