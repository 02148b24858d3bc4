package io.evenkeel.cli.connection;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a running {@code dev} tells other commands of the same user: a file in the user's data folder, which goes with
 * the process.
 *
 * @param processId of the process
 * @param startedAt when the process started, as far as the system tells
 * @param dataFolder where it keeps its data
 * @param settings that reach it, such as {@code kafka.bootstrap.servers}
 */
public record RunningDev(long processId, Optional<Instant> startedAt, String dataFolder, Map<String, String> settings) {
    /** Takes a copy of the settings. */
    public RunningDev {
        settings = Map.copyOf(settings);
    }

    /**
     * The only {@code dev} that runs, if one does.
     *
     * @throws StartupException if several do: which one is meant can't be known
     */
    public static Optional<RunningDev> find(Map<String, String> environment) {
        List<RunningDev> running = all(folder(environment));
        if (running.size() > 1) {
            throw new StartupException(
                    ExitCode.USAGE,
                    running.size() + " dev processes run ("
                            + running.stream()
                                    .map(dev -> dev.dataFolder + " at "
                                            + dev.settings.getOrDefault("kafka.bootstrap.servers", "?"))
                                    .collect(Collectors.joining(", "))
                            + "). Choose one with --bootstrap-servers.");
        }
        return running.stream().findFirst();
    }

    /** Tells other commands of this one, until the result is closed. */
    public AutoCloseable announce(Map<String, String> environment) throws IOException {
        Path folder = Files.createDirectories(folder(environment));
        Path file = folder.resolve(processId + ".json");
        Path draft = Files.createTempFile(folder, "draft", ".tmp");
        Files.write(draft, Json.write(this));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return () -> Files.deleteIfExists(file);
    }

    private static Path folder(Map<String, String> environment) {
        return UserFolders.data(environment).resolve("running");
    }

    private static List<RunningDev> all(Path folder) {
        var running = new ArrayList<RunningDev>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
            for (Path file : files) {
                read(file).filter(RunningDev::isAlive).ifPresent(running::add);
            }
        } catch (NoSuchFileException e) {
            return List.of(); // no dev has ever run
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "Can't look for a running dev in " + folder + ": " + e, e);
        }
        return running;
    }

    private static Optional<RunningDev> read(Path file) throws IOException {
        try {
            return Optional.of(Json.read(Files.readAllBytes(file), RunningDev.class));
        } catch (NoSuchFileException | MalformedRecordException e) {
            return Optional.empty(); // it ended just now, or another version wrote it
        }
    }

    /** What this process tells. */
    public static RunningDev ofThisProcess(Path dataFolder, Map<String, String> settings) {
        return of(ProcessHandle.current(), dataFolder, settings);
    }

    static RunningDev of(ProcessHandle process, Path dataFolder, Map<String, String> settings) {
        return new RunningDev(process.pid(), process.info().startInstant(), dataFolder.toString(), settings);
    }

    /** A process that was killed leaves its file; its number may belong to another program by now. */
    private boolean isAlive() {
        return ProcessHandle.of(processId)
                .filter(ProcessHandle::isAlive)
                .filter(process -> isSame(process.info().startInstant()))
                .isPresent();
    }

    /** Two processes may read the same start a little differently, as it is computed from the time of the boot. */
    private boolean isSame(Optional<Instant> start) {
        return start.isEmpty()
                || startedAt.isEmpty()
                || Duration.between(start.get(), startedAt.get()).abs().compareTo(Duration.ofSeconds(5)) < 0;
    }
}
