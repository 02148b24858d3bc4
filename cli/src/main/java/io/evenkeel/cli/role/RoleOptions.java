package io.evenkeel.cli.role;

import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.monitoring.HttpSettings;
import io.evenkeel.runtime.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a role that runs as a process of its own. */
public final class RoleOptions {
    /** What a message names if the port is taken. */
    static final String PORT_SETTING = "--http-port (or http.port)";

    @Mixin
    private SettingsOptions settings = new SettingsOptions();

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port of /metrics, /livez and /readyz; 0 takes any free one. Default: that of http.port.")
    private Optional<Integer> httpPort = Optional.empty();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster. Default: that of cluster.kubeconfig, or what kubectl would use.")
    private Optional<Path> kubeconfig = Optional.empty();

    /** Made by the command line. */
    public RoleOptions() {}

    Settings read(Terminal terminal) {
        settings.flag("--http-port", HttpSettings.PORT.key(), httpPort);
        settings.flag("--kubeconfig", "cluster.kubeconfig", kubeconfig);
        return settings.read(terminal);
    }
}
