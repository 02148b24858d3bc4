package io.evenkeel.sandbox.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A folder that holds the programs of a control plane.
 *
 * @param folder has at least {@code etcd} and {@code kube-apiserver}
 */
public record KubeBinaries(Path folder) {
    /** The environment variable that names the folder; tools around Kubernetes tests agree on it. */
    public static final String VARIABLE = "KUBEBUILDER_ASSETS";

    private static final List<String> PLAIN = List.of("etcd", "kube-apiserver");
    private static final List<String> FULL = List.of("kube-controller-manager", "kube-scheduler", "kwok");

    /** What was found, or the reason why not in a sentence that says what to do. */
    public sealed interface Search {
        /** Usable binaries. */
        record Found(KubeBinaries binaries) implements Search {}

        /** Nothing usable; {@code reason} is for a person. */
        record Missing(String reason) implements Search {}
    }

    /**
     * Looks where the environment says.
     *
     * @param environment as {@link System#getenv()} returns it
     */
    public static Search search(Map<String, String> environment) {
        Optional<String> value = Optional.ofNullable(environment.get(VARIABLE)).filter(folder -> !folder.isBlank());
        if (value.isEmpty()) {
            return new Search.Missing(VARIABLE + " is not set. " + howToGetThem());
        }
        Path folder = Path.of(value.get());
        List<String> absent =
                PLAIN.stream().filter(name -> !isProgram(folder, name)).toList();
        return absent.isEmpty()
                ? new Search.Found(new KubeBinaries(folder))
                : new Search.Missing(
                        VARIABLE + "=" + folder + " has no " + String.join(" and no ", absent) + ". " + howToGetThem());
    }

    private static String howToGetThem() {
        return "Point it at a folder with etcd and kube-apiserver: setup-envtest downloads them, "
                + "sandbox/build-kube-binaries builds them.";
    }

    private static boolean isProgram(Path folder, String name) {
        return Files.isExecutable(folder.resolve(name));
    }

    /** True if controllers, scheduler and simulated nodes can be started too. */
    public boolean hasFull() {
        return FULL.stream().allMatch(name -> isProgram(folder, name));
    }

    /** Where one of the programs is. */
    public Path program(String name) {
        return folder.resolve(name);
    }
}
