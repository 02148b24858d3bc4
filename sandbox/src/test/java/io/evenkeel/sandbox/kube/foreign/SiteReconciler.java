package io.evenkeel.sandbox.kube.foreign;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An operator as its framework's users write one: a config map for each site, a status, and a clean-up. */
@ControllerConfiguration
final class SiteReconciler implements Reconciler<Site>, Cleaner<Site> {
    final Queue<String> cleaned = new ConcurrentLinkedQueue<>();

    @Override
    public UpdateControl<Site> reconcile(Site site, Context<Site> context) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(site.getMetadata().getNamespace())
                .withName(site.getMetadata().getName())
                .endMetadata()
                .addToData("text", site.getSpec().text())
                .build();
        map.addOwnerReference(site);
        context.getClient().resource(map).serverSideApply();

        Site changed = new Site();
        changed.getMetadata().setName(site.getMetadata().getName());
        changed.getMetadata().setNamespace(site.getMetadata().getNamespace());
        changed.setStatus(new Site.Status(site.getSpec().text()));
        return UpdateControl.patchStatus(changed);
    }

    @Override
    public List<EventSource<?, Site>> prepareEventSources(EventSourceContext<Site> context) {
        var maps = InformerEventSourceConfiguration.from(ConfigMap.class, Site.class)
                .build();
        return List.of(new InformerEventSource<>(maps, context));
    }

    @Override
    public DeleteControl cleanup(Site site, Context<Site> context) {
        cleaned.add(site.getMetadata().getName());
        return DeleteControl.defaultDelete();
    }
}
