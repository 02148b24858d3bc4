package io.evenkeel.examples.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.real.RealKubeApi;
import io.evenkeel.worker.WorkerConfig;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator against a real API server, without the controllers that would run pods. */
class MemcachedIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    @SuppressWarnings("try") // the feeder works by being there
    void givenMemcached_whenItLives_thenChildrenAndStatusFollow(@TempDir Path folder) throws Exception {
        assumeTrue(RealKubeApi.available());
        try (RealKubeApi api = RealKubeApi.builder().build().start();
                EmbeddedKafka broker = EmbeddedKafka.builder().build().start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(api.kubeconfig()))
                        .build()) {
            installCrd(client);
            KafkaSettings kafka = KafkaSettings.at(broker.bootstrapServers());
            TopicLayout layout = TopicLayout.singleBroker(2);
            try (var topics = new TopicAdmin(kafka, layout)) {
                topics.apply();
            }
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
            var cluster =
                    new ClusterChoice.Single(new ClusterSettings("local", Optional.of(kubeconfig), Optional.empty()));
            WorkerConfig config = WorkerConfig.of(kafka, layout, cluster).withStateDir(folder.resolve("state"));
            var meters = new SimpleMeterRegistry();
            try (LogFeeder feeder = new LogFeeder(client, kafka, layout, "local")
                            .watching(Memcached.class)
                            .watching(Deployment.class)
                            .watching(Service.class);
                    WorkerProcess worker = MemcachedReconciler.worker().start(config, meters)) {
                liveAndDie(client);
                await().atMost(SOON).until(worker::isReady);
            }
        }
    }

    private static void liveAndDie(KubernetesClient client) {
        var memcacheds = client.resources(Memcached.class).inNamespace("default");
        var deployments = client.apps().deployments().inNamespace("default");
        var services = client.services().inNamespace("default");
        var memcached = new Memcached();
        memcached.setMetadata(new ObjectMetaBuilder().withName("sample").build());
        memcached.setSpec(new Memcached.Spec(3, null));
        memcached = memcacheds.resource(memcached).create();
        String uid = memcached.getMetadata().getUid();

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(deployments.withName("sample").get()).isNotNull();
            assertThat(services.withName("sample").get()).isNotNull();
            assertThat(condition(memcacheds.withName("sample").get()).getStatus())
                    .isEqualTo("False");
        });
        Deployment deployment = deployments.withName("sample").get();
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
        assertThat(deployment.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid, OwnerReference::getController)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(uid, true));

        becomeReady(deployments.withName("sample"), 3);
        await().atMost(SOON).untilAsserted(() -> {
            Memcached ready = memcacheds.withName("sample").get();
            assertThat(condition(ready).getStatus()).isEqualTo("True");
            assertThat(ready.getStatus().readyReplicas()).isEqualTo(3);
            assertThat(ready.getStatus().observedGeneration()).isEqualTo(1);
        });

        memcacheds.withName("sample").edit(m -> {
            m.setSpec(new Memcached.Spec(5, null));
            return m;
        });
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                deployments.withName("sample").get().getSpec().getReplicas())
                        .isEqualTo(5));

        deployments.withName("sample").delete();
        await().atMost(SOON).untilAsserted(() -> {
            Deployment again = deployments.withName("sample").get();
            assertThat(again).isNotNull();
            assertThat(again.getMetadata().getUid())
                    .isNotEqualTo(deployment.getMetadata().getUid());
        });
    }

    private static void becomeReady(Resource<Deployment> deployment, int replicas) {
        deployment.editStatus(d -> {
            var status = new DeploymentStatus();
            status.setObservedGeneration(d.getMetadata().getGeneration());
            status.setReplicas(replicas);
            status.setReadyReplicas(replicas);
            d.setStatus(status);
            return d;
        });
    }

    private static Condition condition(Memcached memcached) {
        assertThat(memcached.getStatus()).isNotNull();
        return memcached.getStatus().conditions().getFirst();
    }

    private static void installCrd(KubernetesClient client) throws Exception {
        try (InputStream crd = MemcachedIT.class.getResourceAsStream("/crds/memcacheds.cache.example.com-v1.yml")) {
            client.load(crd).create();
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName("memcacheds.cache.example.com")
                                .get()
                                .getStatus()
                                .getConditions())
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True")));
    }
}
