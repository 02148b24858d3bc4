package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The one Kubernetes cluster that a process works on, or the hub that knows which clusters it works on.
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
        if (!ClusterDefinition.isName(name)) {
            throw new IllegalArgumentException(
                    "cluster.name must have " + ClusterDefinition.ALLOWED + ", but is '" + name + "'");
        }
    }

    /** What the settings say. */
    public static ClusterSettings from(Settings settings) {
        return new ClusterSettings(settings.value(NAME), settings.value(KUBECONFIG), settings.value(CONTEXT));
    }

    /** The cluster as one of many. */
    public ClusterDefinition definition() {
        return new ClusterDefinition(name, new ClusterAccess.Ambient(kubeconfig, context), Optional.empty());
    }
}
