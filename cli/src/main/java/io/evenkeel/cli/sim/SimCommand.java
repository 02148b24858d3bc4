package io.evenkeel.cli.sim;

import io.evenkeel.cli.connection.OwnerFile;
import io.evenkeel.cli.connection.UserFolders;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.PortTakenException;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.fleet.Fleet;
import io.evenkeel.sandbox.fleet.FleetPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a fleet of simulated clusters. */
@Command(
        name = "sim",
        description = {
            "Runs a fleet of simulated Kubernetes clusters, in one process and on one port.",
            "",
            "Each cluster has 30 resources full of objects, some of which change all the time, and a context in the"
                    + " kubeconfig. The same seed gives the same objects and changes. Everything is in memory. Ctrl-C"
                    + " stops it."
        })
public final class SimCommand implements Callable<Integer> {
    private static final String PORT_FLAG = "--port";
    private static final Duration STOP_LIMIT = Duration.ofMillis(4_500);
    private static final int FEW = 10;

    private final Terminal terminal;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many clusters. Default: ${DEFAULT-VALUE}.")
    private int clusters = 3;

    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "3000",
            description = "How many objects in all clusters together. Default: ${DEFAULT-VALUE}.")
    private int objects = 3_000;

    @Option(
            names = "--churn",
            paramLabel = "N",
            defaultValue = "10",
            description = "Changes per second in all clusters together. Default: ${DEFAULT-VALUE}.")
    private int churn = 10;

    @Option(
            names = "--history",
            paramLabel = "N",
            defaultValue = "2000",
            description = "How many changes of each cluster can still be watched; older versions are answered by 410."
                    + " Default: ${DEFAULT-VALUE}.")
    private int history = 2_000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "What objects and changes are made from. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = PORT_FLAG,
            paramLabel = "PORT",
            defaultValue = "6443",
            description = "Where to listen on 127.0.0.1; 0 takes any free port. Default: ${DEFAULT-VALUE}.")
    private int port = 6443;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Where to write the kubeconfig. Default: evenkeel/sim/kubeconfig in the user's data folder"
                    + " (XDG).")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--kubeconfig-folder",
            paramLabel = "FOLDER",
            description = "Where to write a kubeconfig for each cluster too, named like it; for clusters.folder.")
    private Optional<Path> kubeconfigFolder = Optional.empty();

    /** Made by the command line. */
    public SimCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (port < 0 || port > 65_535) {
            throw new StartupException(ExitCode.USAGE, PORT_FLAG + " must be 0 to 65535 but is " + port + ".");
        }
        FleetPlan plan = new FleetOptions(clusters, objects, churn, seed, history)
                .plan(Runtime.getRuntime().maxMemory());
        try (var life = new ProcessLife(STOP_LIMIT)) {
            life.stopOnSignal();
            long begun = System.nanoTime();
            Fleet fleet = life.add("fleet", start(plan));
            Path file = write(fleet);
            kubeconfigFolder.ifPresent(folder -> writeEach(fleet, folder));
            fleet.startChanges();
            greet(fleet, file, System.nanoTime() - begun);
            life.lastly(() -> {
                terminal.err().println("Stopped after " + fleet.changes() + " changes.");
                terminal.err().flush();
            });
            return life.await().number();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK.number();
        }
    }

    private Fleet start(FleetPlan plan) {
        terminal.err()
                .println(String.format(
                        Locale.ROOT, "Making %,d objects in %,d clusters", plan.objects(), plan.clusters()));
        terminal.err().flush();
        try {
            return Fleet.start(plan, port, history, terminal.clock(), complete -> {});
        } catch (io.evenkeel.sandbox.PortTakenException e) {
            throw new PortTakenException(port, "the simulated clusters", PORT_FLAG, e);
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "The simulated clusters did not start: " + e.getMessage(), e);
        }
    }

    private Path write(Fleet fleet) {
        Path file = kubeconfig
                .orElseGet(() ->
                        UserFolders.data(terminal.environment()).resolve("sim").resolve("kubeconfig"))
                .toAbsolutePath()
                .normalize();
        try {
            OwnerFile.write(file, fleet.sim().kubeconfig());
            return file;
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "--kubeconfig " + file + " can't be written: " + e + ".", e);
        }
    }

    private static void writeEach(Fleet fleet, Path folder) {
        try {
            for (String name : fleet.plan().names()) {
                OwnerFile.write(
                        folder.toAbsolutePath().normalize().resolve(name),
                        fleet.sim().kubeconfig(name));
            }
        } catch (IOException e) {
            throw new StartupException(
                    ExitCode.ERROR, "--kubeconfig-folder " + folder + " can't be written: " + e + ".", e);
        }
    }

    private void greet(Fleet fleet, Path file, long nanos) {
        FleetPlan plan = fleet.plan();
        List<String> names = plan.names();
        PrintWriter out = terminal.out();
        out.printf(Locale.ROOT, "%nThe fleet runs (ready after %.1f s). Ctrl-C stops it.%n%n", nanos / 1e9);
        out.println("  Server      " + fleet.sim().baseUrl() + "/clusters/NAME");
        out.println("  Clusters    "
                + (names.size() <= FEW ? String.join(", ", names) : names.getFirst() + " to " + names.getLast()));
        out.printf(
                Locale.ROOT,
                "  Objects     %,d of 30 resources; %,d changes per second; seed %d%n",
                plan.objects(),
                plan.changesPerSecond(),
                plan.seed());
        out.println("  Kubeconfig  " + file + "  (a context for each cluster)");
        out.println();
        out.println("Try in another terminal:");
        out.println();
        out.println("  export KUBECONFIG=" + file);
        out.println("  kubectl --context " + names.getFirst() + " get --raw /readyz");
        out.println("  kubectl --context " + names.getLast() + " get deployments --all-namespaces");
        out.println("  kubectl --context " + names.getFirst() + " get pods --all-namespaces --watch-only");
        out.println("  evenkeel watcher --set clusters.kubeconfig=" + file + " --set 'watcher.resources=*'");
        out.println();
        out.flush();
    }
}
