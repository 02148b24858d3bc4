package io.evenkeel.cli.dev;

import io.evenkeel.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** What {@code dev} says when everything runs. */
final class Greeting {
    private Greeting() {}

    static void print(
            Terminal terminal,
            Path folder,
            LocalKubernetes kubernetes,
            String bootstrapServers,
            int httpPort,
            Instant begun) {
        Duration took = Duration.between(begun, terminal.clock().instant());
        Path here = Path.of("").toAbsolutePath();
        Path home = Optional.ofNullable(System.getProperty("evenkeel.home"))
                .map(Path::of)
                .orElse(here);
        PrintWriter out = terminal.out();
        out.printf(Locale.ROOT, "%nEvenkeel runs (ready after %.1f s). Ctrl-C stops it.%n%n", took.toMillis() / 1000.0);
        out.println("  Kubernetes  " + kubernetes.kubeconfig() + "  (" + kubernetes.description() + ")");
        out.println("  Kafka       " + bootstrapServers);
        out.println("  HTTP        http://127.0.0.1:" + httpPort + "/  (/metrics, /livez, /readyz)");
        out.println("  Data, logs  " + folder);
        out.println();
        out.println("Try in another terminal:");
        out.println();
        out.println("  export KUBECONFIG=" + kubernetes.kubeconfig());
        out.println("  kubectl apply -f " + from(here, home.resolve("examples/memcached/memcached.yaml")));
        out.println("  kubectl get memcacheds,deployments,services");
        out.println("  " + command(here, home) + " events --follow");
        out.println();
        if (!kubernetes.ours()) {
            out.println("The example needs its definition in your cluster: kubectl apply -f "
                    + from(here, home.resolve("examples/memcached/crd.yaml")));
            out.println();
        }
        out.flush();
    }

    private static String from(Path here, Path file) {
        return file.startsWith(here) ? here.relativize(file).toString() : file.toString();
    }

    private static String command(Path here, Path home) {
        return here.equals(home) ? "./evenkeel" : home.resolve("evenkeel").toString();
    }
}
