package io.evenkeel.runtime.logging;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;

/**
 * How a process logs.
 *
 * @param format shape of a line
 * @param level least level of our own loggers
 */
public record LogSettings(Format format, Level level) {
    /** Shape of a line. */
    public enum Format {
        /** One line for people. */
        TEXT,
        /** One JSON object. */
        JSON
    }

    /** Least level that is written. */
    public enum Level {
        /** What is broken. */
        ERROR,
        /** What may soon be. */
        WARN,
        /** What an operator acts on. */
        INFO,
        /** What follows one key. */
        DEBUG,
        /** Everything. */
        TRACE
    }

    /** Shape of a line. */
    public static final Setting<Format> FORMAT =
            Setting.choice("log.format", Format.TEXT, Format.class, "text for people, json for machines");

    /** Least level of our own loggers. */
    public static final Setting<Level> LEVEL = Setting.choice(
            "log.level", Level.INFO, Level.class, "least level that is logged; libraries log warnings only");

    /** All settings under {@code log.}. */
    public static final Catalogue CATALOGUE = Catalogue.of(FORMAT, LEVEL);

    /** What the settings say. */
    public static LogSettings from(Settings settings) {
        return new LogSettings(settings.value(FORMAT), settings.value(LEVEL));
    }
}
