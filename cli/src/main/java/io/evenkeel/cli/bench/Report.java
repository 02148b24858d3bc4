package io.evenkeel.cli.bench;

import io.evenkeel.api.json.Json;
import io.evenkeel.cli.about.Build;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The result of a measurement, with what one must know to compare it. */
final class Report {
    private final Map<String, Object> values = new LinkedHashMap<>();

    Report(String bench) {
        values.put("bench", bench);
    }

    Report(String bench, String kubernetes) {
        this(bench);
        values.put("kubernetes", kubernetes);
    }

    Report with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /** Prints it as the last line, and writes it to a file if one was named. */
    void print(Terminal terminal, Optional<Path> file) {
        addMachine(terminal);
        String line = new String(Json.write(values), StandardCharsets.UTF_8);
        terminal.out().println(line);
        terminal.out().flush();
        file.ifPresent(path -> write(path, line + "\n"));
    }

    private void addMachine(Terminal terminal) {
        Build build = Build.current();
        values.put("cpus", Runtime.getRuntime().availableProcessors());
        values.put("memory_gib", memoryGibibytes());
        values.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        values.put("java", Runtime.version().toString());
        values.put("version", build.version());
        values.put("commit", build.commit().orElse("unknown"));
        values.put("measured_at", terminal.clock().instant().toString());
    }

    private static double memoryGibibytes() {
        long bytes = ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : 0;
        return Math.round(bytes / (double) (1 << 30) * 10) / 10.0;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartupException(
                    ExitCode.ERROR, "The result could not be written to " + file + ": " + e.getMessage(), e);
        }
    }
}
