package io.evenkeel.examples.memcached;

import io.evenkeel.reconciler.Conditions;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Reconciler;
import io.evenkeel.reconciler.Worker;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Objects;

/** Makes a Deployment and a Service of a Memcached, and tells in its status how far they are. */
public final class MemcachedReconciler implements Reconciler<Memcached> {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final String SERVICE = """
        metadata: {name: "NAME", labels: {app: "NAME"}}
        spec: {selector: {app: "NAME"}, ports: [{name: memcached, port: 11211}]}
        """;
    private static final String DEPLOYMENT = """
        metadata: {name: "NAME", labels: {app: "NAME"}}
        spec:
          selector: {matchLabels: {app: "NAME"}}
          template:
            metadata: {labels: {app: "NAME"}}
            spec: {containers: [{name: memcached, ports: [{name: memcached, containerPort: 11211}]}]}
        """;

    public static void main(String[] args) {
        worker().run(args);
    }

    /** The worker with its one controller. */
    public static Worker worker() {
        return Worker.named("memcached-operator")
                .reconcile(Memcached.class)
                .owning(Deployment.class)
                .owning(Service.class)
                .with(new MemcachedReconciler());
    }

    @Override
    public Outcome reconcile(Memcached memcached, Context<Memcached> context) {
        context.apply(child(SERVICE, memcached, Service.class));
        int ready = readyReplicas(context.apply(deployment(memcached)));
        int wanted = memcached.getSpec().replicas();
        String reason = ready == wanted ? "AllReplicasReady" : "DeploymentNotReady";
        var before =
                memcached.getStatus() == null ? null : memcached.getStatus().conditions();
        var status = new Memcached.Status(
                memcached.getMetadata().getGeneration(),
                Math.max(ready, 0),
                Conditions.of(before, memcached, context.now())
                        .with("Ready", ready == wanted, reason, Math.max(ready, 0) + " of " + wanted)
                        .list());
        return (ready == wanted ? Outcome.done() : Outcome.waiting(reason)).withStatus(status);
    }

    /** Ready replicas of the newest spec; -1 as long as Kubernetes has not looked at it. */
    private static int readyReplicas(Deployment deployment) {
        var status = deployment.getStatus();
        var generation = deployment.getMetadata().getGeneration();
        boolean isCurrent = status != null && Objects.equals(status.getObservedGeneration(), generation);
        return isCurrent ? Objects.requireNonNullElse(status.getReadyReplicas(), 0) : -1;
    }

    private static Deployment deployment(Memcached memcached) {
        Deployment deployment = child(DEPLOYMENT, memcached, Deployment.class);
        deployment.getSpec().setReplicas(memcached.getSpec().replicas());
        String image = Objects.requireNonNullElse(memcached.getSpec().image(), "memcached:1.6-alpine");
        deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage(image);
        return deployment;
    }

    private static <C> C child(String template, Memcached memcached, Class<C> type) {
        return YAML.unmarshal(template.replace("NAME", memcached.getMetadata().getName()), type);
    }
}
