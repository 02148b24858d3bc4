package io.evenkeel.worker.harness;

import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.attempt.RequestPace;
import io.evenkeel.worker.object.ObjectJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** A simulated API server that knows Widgets, and a user of it. */
public final class WidgetCluster implements AutoCloseable {
    private final KubeSim sim;
    private final KubernetesClient client;

    private WidgetCluster(KubeSim sim) {
        this.sim = sim;
        this.client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.fromKubeconfig(sim.kubeconfig()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withKubernetesSerialization(ObjectJson.SERIALIZATION)
                .build();
        client.resource(definition()).create();
    }

    public static WidgetCluster start() {
        try {
            return new WidgetCluster(KubeSim.builder().start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The way of a process to it. */
    public String kubeconfig() {
        return sim.kubeconfig();
    }

    /** The way of a worker to it. */
    public KubernetesApi api() {
        return new KubernetesApi(client, InReach.always(), RequestPace.unlimited());
    }

    /** The way of a user to it. */
    public NonNamespaceOperation<Widget, ?, Resource<Widget>> widgets() {
        return client.resources(Widget.class).inNamespace("default");
    }

    public Widget create(String name, String... finalizers) {
        var widget = new Widget();
        widget.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withFinalizers(List.of(finalizers))
                .build());
        widget.setSpec(new Widget.Spec(1));
        return widgets().resource(widget).create();
    }

    /** Gives it another spec, and so another generation. */
    public void resize(String name, int size) {
        widgets().withName(name).edit(widget -> {
            widget.setSpec(new Widget.Spec(size));
            return widget;
        });
    }

    public Optional<Widget> widget(String name) {
        return Optional.ofNullable(widgets().withName(name).get());
    }

    public Optional<ConfigMap> configMap(String name) {
        return Optional.ofNullable(
                client.configMaps().inNamespace("default").withName(name).get());
    }

    /** Events about a Widget. */
    public List<Event> events(String widget) {
        return client.events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> widget.equals(event.getRegarding().getName()))
                .toList();
    }

    public void delete(ConfigMap child) {
        client.resource(child).delete();
    }

    public ConfigMap create(ConfigMap child) {
        return client.resource(child).create();
    }

    /** Changes fields of a widget that its class does not know. */
    public void merge(String widget, String patch) {
        widgets().withName(widget).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    public void merge(ConfigMap child, String patch) {
        client.resource(child).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** A widget with all its fields. */
    public GenericKubernetesResource generic(String widget) {
        return client.genericKubernetesResources("test.evenkeel.io/v1", "Widget")
                .inNamespace("default")
                .withName(widget)
                .get();
    }

    /** The JSON that the server has of an object, as a list or watch shows it. */
    public String json(Object object) {
        return client.getKubernetesSerialization().asJson(object);
    }

    @Override
    public void close() {
        client.close();
        sim.close();
    }

    private static CustomResourceDefinition definition() {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName("widgets.test.evenkeel.io")
                .endMetadata()
                .withNewSpec()
                .withGroup("test.evenkeel.io")
                .withScope("Namespaced")
                .withNewNames()
                .withKind("Widget")
                .withPlural("widgets")
                .endNames()
                .addNewVersion()
                .withName("v1")
                .withServed(true)
                .withStorage(true)
                .withNewSubresources()
                .withNewStatus()
                .endStatus()
                .endSubresources()
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }
}
