package io.evenkeel.cli.dev;

import io.evenkeel.cli.connection.UserFolders;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the whole engine on this machine. */
@Command(
        name = "dev",
        description = {
            "Runs everything on this machine, in one process: a Kafka broker, a Kubernetes API, the watcher, a worker"
                    + " with the example operator, and an HTTP endpoint.",
            "",
            "Started again on the same data folder it goes on where it stopped. Ctrl-C stops it."
        })
public final class DevCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--kubernetes",
            paramLabel = "sim|real|FILE",
            defaultValue = "sim",
            description = "sim: a simulated Kubernetes API; real: a kube-apiserver from the programs in"
                    + " KUBEBUILDER_ASSETS; FILE: the cluster of a kubeconfig. Default: ${DEFAULT-VALUE}.")
    private String kubernetes = "sim";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where everything is kept: kubeconfig, broker data, stores, logs."
                    + " Default: evenkeel/dev in the user's data folder (XDG).")
    private Optional<Path> dataFolder = Optional.empty();

    @Option(names = "--ephemeral", description = "Keep nothing: use a temporary folder and delete it at the end.")
    private boolean ephemeral;

    @Option(
            names = Ports.HTTP_FLAG,
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port of /metrics, /livez and /readyz; 0 takes any free one. Default: ${DEFAULT-VALUE}.")
    private int httpPort = 8080;

    @Option(
            names = Ports.KAFKA_FLAG,
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Port of the Kafka broker; 0 takes any free one. Default: ${DEFAULT-VALUE}.")
    private int kafkaPort = 9092;

    @Option(
            names = Ports.KUBERNETES_FLAG,
            paramLabel = "PORT",
            defaultValue = "6443",
            description = "Port of the Kubernetes API; 0 takes any free one. Default: ${DEFAULT-VALUE}.")
    private int kubernetesPort = 6443;

    @Option(names = "--stop-when-ready", hidden = true)
    private boolean stopWhenReady;

    @Option(names = "--config", paramLabel = "FILE", description = "Read settings from a YAML file.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Set one setting; may be repeated.")
    private List<String> assignments = new ArrayList<>();

    /** Made by the command line. */
    public DevCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (ephemeral && dataFolder.isPresent()) {
            throw new StartupException(
                    ExitCode.USAGE, "--ephemeral keeps nothing, so --data-dir makes no sense with it.");
        }
        var ports = new Ports(
                checked(Ports.HTTP_FLAG, httpPort),
                checked(Ports.KAFKA_FLAG, kafkaPort),
                checked(Ports.KUBERNETES_FLAG, kubernetesPort));
        var dev = new Dev(terminal, KubernetesChoice.parse(kubernetes), ports, file, assignments, stopWhenReady);
        return dev.run(ephemeral ? DataFolder.ephemeral() : DataFolder.lasting(folder()))
                .number();
    }

    private Path folder() {
        return dataFolder
                .orElseGet(() -> UserFolders.data(terminal.environment()).resolve("dev"))
                .toAbsolutePath()
                .normalize();
    }

    private static int checked(String flag, int port) {
        if (port < 0 || port > 65_535) {
            throw new StartupException(ExitCode.USAGE, flag + " must be 0 to 65535 but is " + port + ".");
        }
        return port;
    }
}
