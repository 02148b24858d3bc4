package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The Kubernetes cluster that a process works on.
 *
 * @param name id that we give the cluster; part of every key, so it must never change
 * @param kubeconfig file that says how to reach it; absent means what kubectl would use
 * @param context context in that file; absent means its current one
 */
public record ClusterSettings(String name, Optional<Path> kubeconfig, Optional<String> context) {
    /** Id of the cluster. */
    public static final Setting<String> NAME =
            Setting.text("cluster.name", "local", "id of the cluster in every key; never change it");

    /** Kubeconfig file. */
    public static final Setting<Optional<Path>> KUBECONFIG = Setting.optionalPath(
            "cluster.kubeconfig", "kubeconfig file; if left out, $KUBECONFIG, ~/.kube/config or the pod's own account");

    /** Context in the kubeconfig. */
    public static final Setting<Optional<String>> CONTEXT =
            Setting.optionalText("cluster.context", "context in the kubeconfig; if left out, its current one");

    /** All settings under {@code cluster.}. */
    public static final Catalogue CATALOGUE = Catalogue.of(NAME, KUBECONFIG, CONTEXT);

    /** @throws IllegalArgumentException if the name can't be part of a key */
    public ClusterSettings {
        if (!name.matches("[a-z0-9]([-.a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException("cluster.name must have 1 to 63 lower case letters, digits, '-' or '.',"
                    + " and start and end with a letter or digit, but is '" + name + "'");
        }
    }

    /** What the settings say. */
    public static ClusterSettings from(Settings settings) {
        return new ClusterSettings(settings.value(NAME), settings.value(KUBECONFIG), settings.value(CONTEXT));
    }
}
