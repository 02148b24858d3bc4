package io.evenkeel.cli.connection;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of every command that needs settings. */
public final class SettingsOptions {
    private static final String DEV = "the running dev";

    @Option(names = "--config", paramLabel = "FILE", description = "Read settings from a YAML file.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Set one setting; may be repeated.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to start from. Default: those of the settings, or of the running dev.")
    private Optional<String> bootstrapServers = Optional.empty();

    private final Map<String, Flag> flags = new LinkedHashMap<>();

    private record Flag(String flag, String text) {}

    /** Made by the command line. */
    public SettingsOptions() {}

    /** Takes the value of a flag that stands for a setting. */
    public void flag(String flag, String key, Optional<?> value) {
        value.ifPresent(given -> flags.put(key, new Flag(flag, String.valueOf(given))));
    }

    /** Settings as configured; the running dev's where Kafka is not configured at all. */
    public Settings read(Terminal terminal) {
        Settings configured = reader(terminal).read();
        if (configured.isSet(KafkaSettings.BOOTSTRAP_SERVERS)) {
            return configured;
        }
        return RunningDev.find(terminal.environment())
                .map(dev -> reader(terminal).program(DEV, dev.settings()).read())
                .orElse(configured);
    }

    private SettingsReader reader(Terminal terminal) {
        SettingsReader reader = SettingsReader.of(AllSettings.CATALOGUE)
                .file(file)
                .environment(terminal.environment())
                .flags(assignments);
        bootstrapServers.ifPresent(
                servers -> reader.flag("--bootstrap-servers", KafkaSettings.BOOTSTRAP_SERVERS.key(), servers));
        flags.forEach((key, flag) -> reader.flag(flag.flag(), key, flag.text()));
        return reader;
    }
}
