package io.evenkeel.cli.bench.scale;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process that watches clusters with an informer for each resource, as an operator framework does, until its heap is
 * nearly full, or so many clusters are watched as it was told; says what it came to, and ends.
 */
public final class InformersMain {
    private static final double FULL = 0.8;
    private static final int CLUSTERS_BETWEEN_COLLECTIONS = 4;
    private static final int POLL_MILLIS = 20;

    private final List<SharedIndexInformer<GenericKubernetesResource>> informers = new ArrayList<>();

    private InformersMain() {}

    /** @param args folder of kubeconfigs, paths of resources with commas between, clusters or 0 for as many as fit */
    public static void main(String[] args) throws IOException, InterruptedException {
        new InformersMain().watch(Path.of(args[0]), List.of(args[1].split(",", -1)), Integer.parseInt(args[2]));
        Runtime.getRuntime().halt(0); // the client's threads would keep it alive
    }

    private void watch(Path folder, List<String> resources, int wanted) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Path> kubeconfigs;
        try (Stream<Path> files = Files.list(folder)) {
            kubeconfigs =
                    files.sorted().limit(wanted == 0 ? Long.MAX_VALUE : wanted).toList();
        }
        int clusters = 0;
        while (clusters < kubeconfigs.size() && (wanted > 0 || !isFull(clusters))) {
            inform(kubeconfigs.get(clusters++), resources);
            if (wanted == 0) {
                awaitSync();
            }
        }
        awaitSync();
        long objects = informers.stream()
                .mapToLong(informer -> informer.getStore().list().size())
                .sum();
        WatcherMain.print(System.out, Footprint.now(begun, informers.size(), clusters, objects));
    }

    private static boolean isFull(int clusters) {
        return clusters % CLUSTERS_BETWEEN_COLLECTIONS == 0
                && Footprint.heapAfterCollection() > FULL * Runtime.getRuntime().maxMemory();
    }

    private void inform(Path kubeconfig, List<String> resources) throws IOException {
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig)))
                .build();
        for (String path : resources) {
            SharedIndexInformer<GenericKubernetesResource> informer = client.genericKubernetesResources(context(path))
                    .inAnyNamespace()
                    .runnableInformer(0);
            informer.exceptionHandler((started, failure) -> true); // a machine at its limit is no reason to give up
            informer.start();
            informers.add(informer);
        }
    }

    /** Of {@code /api/v1/pods} or {@code /apis/apps/v1/deployments}; the kind is only for people. */
    private static ResourceDefinitionContext context(String path) {
        List<String> parts = List.of(path.split("/", -1));
        boolean core = parts.get(1).equals("api");
        return new ResourceDefinitionContext.Builder()
                .withGroup(core ? "" : parts.get(2))
                .withVersion(parts.get(parts.size() - 2))
                .withPlural(parts.getLast())
                .withKind(parts.getLast())
                .withNamespaced(true)
                .build();
    }

    private void awaitSync() throws InterruptedException {
        while (!informers.stream().allMatch(SharedIndexInformer::hasSynced)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
