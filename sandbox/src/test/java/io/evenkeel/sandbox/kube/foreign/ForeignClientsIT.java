package io.evenkeel.sandbox.kube.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.kube.SimClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ForeignClientsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static KubeSim sim;
    private static KubernetesClient client;

    @BeforeAll
    static void start() throws IOException {
        sim = KubeSim.builder().start();
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sim.kubeconfig()))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        sim.close();
    }

    private static ConfigMap configMap(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("kube-public")
                .withName(name)
                .addToLabels("of", "informer")
                .endMetadata()
                .addToData("key", value)
                .build();
    }

    @Test
    void givenAnInformer_whenObjectsComeChangeAndGo_thenItTellsAllOfIt() {
        client.resource(configMap("before", "1")).create();
        Queue<String> events = new ConcurrentLinkedQueue<>();
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps()
                .inNamespace("kube-public")
                .withLabel("of", "informer")
                .inform(recorder(events))) {
            await().atMost(PATIENCE).until(informer::hasSynced);
            client.resource(configMap("during", "1")).create();
            client.resource(configMap("during", "2")).patch();
            client.configMaps().inNamespace("kube-public").withName("during").delete();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(events)
                            .containsExactly("add before", "add during", "update during 2", "delete during"));
            assertThat(informer.getStore().list()).hasSize(1);
        }
    }

    private static ResourceEventHandler<ConfigMap> recorder(Queue<String> events) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap map) {
                events.add("add " + map.getMetadata().getName());
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap after) {
                events.add("update " + after.getMetadata().getName() + " "
                        + after.getData().get("key"));
            }

            @Override
            public void onDelete(ConfigMap map, boolean unknown) {
                events.add("delete " + map.getMetadata().getName());
            }
        };
    }

    @Test
    void givenAnOperator_whenItsResourceLives_thenItAppliesReportsRepairsAndCleansUp() {
        try (SimClient plain = SimClient.of(sim)) {
            plain.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Site.DEFINITION);
        }
        var reconciler = new SiteReconciler();
        var operator =
                new Operator(settings -> settings.withKubernetesClient(client).withCloseClientOnStop(false));
        operator.register(reconciler);
        operator.start();
        try {
            var sites = client.resources(Site.class).inNamespace("default");
            var site = new Site();
            site.getMetadata().setName("home");
            site.getMetadata().setNamespace("default");
            site.setSpec(new Site.Spec("hello"));
            client.resource(site).create();
            Resource<ConfigMap> map = client.configMaps().inNamespace("default").withName("home");

            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(map.get())
                        .isNotNull()
                        .satisfies(found -> assertThat(found.getData()).containsEntry("text", "hello"));
                assertThat(sites.withName("home").get().getStatus()).isEqualTo(new Site.Status("hello"));
                assertThat(sites.withName("home").get().getFinalizers()).hasSize(1);
            });
            map.delete();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(map.get()).isNotNull());

            sites.withName("home").delete();

            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(sites.withName("home").get()).isNull();
                assertThat(map.get()).isNull();
            });
            assertThat(reconciler.cleaned).contains("home");
        } finally {
            operator.stop();
        }
    }
}
