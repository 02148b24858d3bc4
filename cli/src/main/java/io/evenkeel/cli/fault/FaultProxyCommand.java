package io.evenkeel.cli.fault;

import io.evenkeel.cli.connection.OwnerFile;
import io.evenkeel.cli.connection.UserFolders;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.PortTakenException;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.RuleBook;
import io.evenkeel.sandbox.fault.script.FaultScript;
import io.evenkeel.sandbox.fault.script.ScriptException;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.fault.upstream.KubeconfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Stands before real or simulated clusters and misbehaves as a script says. */
@Command(
        name = "fault-proxy",
        description = {
            "Stands before a Kubernetes API server and misbehaves as a script says.",
            "",
            "Clients use the kubeconfig that it writes. It runs until it is stopped (Ctrl-C), and then says how often"
                    + " each fault happened."
        })
public final class FaultProxyCommand implements Callable<Integer> {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final Terminal terminal;

    @Option(names = "--script", paramLabel = "FILE", required = true, description = "YAML with the rules.")
    private Path script = Path.of("");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Where the servers are. Default: KUBECONFIG, or ~/.kube/config.")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Which cluster; may be given several times, for a proxy each. Default: the current one.")
    private List<String> contexts = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Where to listen on 127.0.0.1; several proxies take the ports from there on. Default: any free"
                            + " one.")
    private int port;

    @Option(
            names = "--out-kubeconfig",
            paramLabel = "FILE",
            description = "Where to write the kubeconfig that leads through the proxy. Default:"
                    + " evenkeel/fault-proxy/kubeconfig in the user's data folder (XDG).")
    private Optional<Path> outKubeconfig = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Instead of the script's seed.")
    private Optional<Long> seed = Optional.empty();

    /** Made by the command line. */
    public FaultProxyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (port < 0 || port > 65_535) {
            throw new StartupException(ExitCode.USAGE, "--port must be 0 to 65535 but is " + port + ".");
        }
        RuleBook book = book();
        try (var life = new ProcessLife(STOP_LIMIT)) {
            life.stopOnSignal();
            Map<String, FaultProxy> proxies = new LinkedHashMap<>();
            // the first part is the last to stop: the counts are final then
            life.add("report", () -> new CountTable(proxies).print(terminal.out()));
            start(book, proxies, life);
            terminal.out().flush();
            return life.await().number();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK.number();
        }
    }

    private RuleBook book() {
        try {
            RuleBook book = FaultScript.read(script.toString(), Files.readString(script));
            return seed.map(other -> new RuleBook(other, book.rules())).orElse(book);
        } catch (IOException e) {
            throw new StartupException(ExitCode.USAGE, "--script " + script + " can't be read: " + e + ".", e);
        } catch (ScriptException e) {
            throw new StartupException(ExitCode.USAGE, String.join("\n", e.problems()), e);
        }
    }

    private void start(RuleBook book, Map<String, FaultProxy> proxies, ProcessLife life) {
        Path out = outKubeconfig.orElseGet(() ->
                UserFolders.data(terminal.environment()).resolve("fault-proxy").resolve("kubeconfig"));
        try {
            Kubeconfig config = Kubeconfig.read(kubeconfig.orElseGet(this::defaultKubeconfig));
            Map<String, Kubeconfig.Entrance> entrances = new LinkedHashMap<>();
            for (String context : contexts.isEmpty() ? List.of(config.currentContext()) : contexts) {
                int ownPort = port == 0 ? 0 : port + proxies.size();
                FaultProxy proxy = life.add(context, start(book, config, context, ownPort));
                proxies.put(context, proxy);
                entrances.put(context, new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem()));
                terminal.out().println(context + " " + proxy.url());
            }
            OwnerFile.write(out, config.through(entrances));
            terminal.out().println();
            terminal.out().println("Try in another terminal:");
            terminal.out().println();
            terminal.out().println("  export KUBECONFIG=" + out);
            terminal.out()
                    .println("  kubectl --context "
                            + entrances.keySet().iterator().next() + " get pods --all-namespaces --watch");
            terminal.out().println();
            terminal.out().println("Ctrl-C stops it and tells how often each fault happened.");
        } catch (KubeconfigException e) {
            throw new StartupException(ExitCode.USAGE, e.getMessage() + ".", e);
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "--out-kubeconfig " + out + " can't be written: " + e + ".", e);
        }
    }

    private static FaultProxy start(RuleBook book, Kubeconfig config, String context, int port) {
        try {
            return FaultProxy.before(config.upstream(context))
                    .book(book)
                    .port(port)
                    .start();
        } catch (io.evenkeel.sandbox.PortTakenException e) {
            throw new PortTakenException(port, "the fault proxy before " + context, "--port", e);
        } catch (IllegalArgumentException e) {
            throw new StartupException(ExitCode.USAGE, e.getMessage() + ".", e);
        }
    }

    private Path defaultKubeconfig() {
        return Optional.ofNullable(terminal.environment().get("KUBECONFIG"))
                .filter(text -> !text.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".kube", "config"));
    }
}
