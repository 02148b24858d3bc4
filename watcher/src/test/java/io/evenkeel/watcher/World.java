package io.evenkeel.watcher;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.nio.file.Path;

/** One Kafka and one real API server for all tests of a class; each test has its own topics and namespace. */
final class World implements AutoCloseable {
    private final LogWorld log = new LogWorld();
    final EmbeddedKafka kafka = log.kafka;
    final RealKubeApi api = RealKubeApi.builder().build().start();
    private final Path kubeconfig = log.write(api.kubeconfig());

    Path kubeconfig() {
        return kubeconfig;
    }

    KubeHttp kube() {
        return new KubeHttp(api.url(), api.token());
    }

    TopicLayout layout() {
        return log.layout();
    }

    LogWorld.Started start(TopicLayout layout, String... resources) {
        return start(layout, config(layout.prefix() + "watcher", resources), kubeconfig);
    }

    LogWorld.Started start(TopicLayout layout, WatcherConfig config, Path kubeconfigFile) {
        return log.start(layout, config, kubeconfigFile);
    }

    WatcherConfig config(String group, String... resources) {
        return log.config(group, resources);
    }

    Path kubeconfigFor(String token) {
        return log.write(api.kubeconfig().replace(api.token(), token));
    }

    @Override
    public void close() {
        api.close();
        log.close();
    }
}
