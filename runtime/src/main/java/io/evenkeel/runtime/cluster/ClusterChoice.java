package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which clusters a process works on: the settings under {@code cluster.} and {@code clusters.}. */
public sealed interface ClusterChoice {
    /** A kubeconfig with many contexts. */
    Setting<Optional<Path>> KUBECONFIG = Setting.optionalPath(
            "clusters.kubeconfig",
            "many clusters: a kubeconfig, whose contexts are clusters; looked at again and again");

    /** The contexts that count. */
    Setting<List<String>> CONTEXTS = Setting.list(
            "clusters.contexts",
            List.of("*"),
            "contexts of clusters.kubeconfig, as <id>=<context>, or <context> if that can be an id; '*' for all");

    /** A folder of kubeconfigs. */
    Setting<Optional<Path>> FOLDER = Setting.optionalPath(
            "clusters.folder", "many clusters: a folder with a kubeconfig for each, named like the cluster's id");

    /** Secrets of a hub. */
    Setting<Optional<String>> SECRETS_NAMESPACE = Setting.optionalText(
            "clusters.secrets-namespace",
            "many clusters: a namespace whose Secrets with label evenkeel.io/cluster=true describe one each; cluster.*"
                    + " then says how to reach the hub that has it");

    /** How often files are looked at. */
    Setting<Duration> REFRESH_MILLIS = Setting.millis(
            "clusters.refresh-millis",
            Duration.ofSeconds(5),
            Duration.ofMillis(50),
            Duration.ofHours(1),
            "how often the files of clusters are looked at again, or a hub that does not answer is asked again");

    /** All settings under {@code cluster.} and {@code clusters.}. */
    Catalogue CATALOGUE = Catalogue.join(
            ClusterSettings.CATALOGUE, Catalogue.of(KUBECONFIG, CONTEXTS, FOLDER, SECRETS_NAMESPACE, REFRESH_MILLIS));

    /**
     * One cluster, which never changes.
     *
     * @param cluster the cluster
     */
    record Single(ClusterSettings cluster) implements ClusterChoice {
        @Override
        public ClusterSource open() {
            return ClusterSource.of(cluster.definition());
        }
    }

    /**
     * Contexts of a kubeconfig.
     *
     * @param kubeconfig the file
     * @param contexts those that count; empty for all
     * @param refresh time between two looks
     */
    record Contexts(Path kubeconfig, List<ChosenContext> contexts, Duration refresh) implements ClusterChoice {
        /** Takes a copy of the list. */
        public Contexts {
            contexts = List.copyOf(contexts);
        }

        @Override
        public ClusterSource open() {
            return new RereadClusters(new KubeconfigContexts(kubeconfig, contexts), refresh);
        }
    }

    /**
     * A context and what we call its cluster.
     *
     * @param id of the cluster
     * @param context in the kubeconfig
     */
    record ChosenContext(String id, String context) {
        static ChosenContext parse(String text) {
            int equals = text.indexOf('=');
            return equals < 0
                    ? new ChosenContext(text, text)
                    : new ChosenContext(
                            text.substring(0, equals).strip(),
                            text.substring(equals + 1).strip());
        }
    }

    /**
     * A folder of kubeconfigs, each named like its cluster.
     *
     * @param path of the folder
     * @param refresh time between two looks
     */
    record Folder(Path path, Duration refresh) implements ClusterChoice {
        @Override
        public ClusterSource open() {
            return new RereadClusters(new KubeconfigFolder(path), refresh);
        }
    }

    /**
     * Secrets of a hub.
     *
     * @param hub how to reach it; it is not one of the clusters unless a Secret says so
     * @param namespace of the Secrets
     * @param retry time before a hub that does not answer is asked again
     */
    record Secrets(ClusterSettings hub, String namespace, Duration retry) implements ClusterChoice {
        @Override
        public ClusterSource open() {
            return new RereadClusters(new ClusterSecrets(hub.definition(), namespace), retry);
        }
    }

    /**
     * Looks at the definitions for the first time.
     *
     * @throws io.evenkeel.runtime.process.StartupException if the source as a whole cannot be read
     */
    ClusterSource open();

    /** Whether there is one cluster only, for ever. */
    default boolean isSingle() {
        return this instanceof Single;
    }

    /**
     * What the settings say.
     *
     * @throws IllegalArgumentException if they name more than one source
     */
    static ClusterChoice from(Settings settings) {
        ClusterSettings single = ClusterSettings.from(settings);
        Duration refresh = settings.value(REFRESH_MILLIS);
        var choices = new ArrayList<ClusterChoice>();
        settings.value(KUBECONFIG)
                .ifPresent(file -> choices.add(new Contexts(file, chosen(settings.value(CONTEXTS)), refresh)));
        settings.value(FOLDER).ifPresent(folder -> choices.add(new Folder(folder, refresh)));
        settings.value(SECRETS_NAMESPACE).ifPresent(namespace -> choices.add(new Secrets(single, namespace, refresh)));
        if (choices.size() > 1) {
            throw new IllegalArgumentException("clusters come from one place, but " + KUBECONFIG.key() + ", "
                    + FOLDER.key() + " and " + SECRETS_NAMESPACE.key() + " are set in part or all; set one of them");
        }
        return choices.isEmpty() ? new Single(single) : choices.getFirst();
    }

    private static List<ChosenContext> chosen(List<String> texts) {
        if (texts.contains("*")) {
            if (texts.size() > 1) {
                throw new IllegalArgumentException(
                        CONTEXTS.key() + " must be '*' or a list of contexts but is " + texts);
            }
            return List.of();
        }
        List<ChosenContext> contexts = texts.stream().map(ChosenContext::parse).toList();
        if (contexts.isEmpty()) {
            throw new IllegalArgumentException(CONTEXTS.key() + " must name at least one context but is empty");
        }
        for (ChosenContext context : contexts) {
            if (!ClusterDefinition.isName(context.id())) {
                throw new IllegalArgumentException(CONTEXTS.key() + " must be <id>=<context>, the id with "
                        + ClusterDefinition.ALLOWED + ", but one is '" + context.id() + "'");
            }
        }
        if (contexts.stream().map(ChosenContext::id).distinct().count() < contexts.size()) {
            throw new IllegalArgumentException(CONTEXTS.key() + " must give each id once but is " + texts);
        }
        return contexts;
    }
}
