package io.evenkeel.examples.guide;

import io.evenkeel.reconciler.Backoff;
import io.evenkeel.reconciler.Conditions;
import io.evenkeel.reconciler.ConflictPolicy;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.ErrorClass;
import io.evenkeel.reconciler.EventType;
import io.evenkeel.reconciler.Filter;
import io.evenkeel.reconciler.Link;
import io.evenkeel.reconciler.ObjectName;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.ResourcePlan;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Worker;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One method per concept; the lines between its braces stand in the guide. */
final class Guide {
    private Guide() {}

    static Worker smallest() {
        return Worker.named("labels").reconcile(ConfigMap.class).with((map, context) -> {
            if (!context.primary().getMetadata().getName().startsWith("app-")) {
                return Outcome.done();
            }
            context.patch(map, "{\"metadata\":{\"labels\":{\"kind\":\"app\"}}}");
            return Outcome.done();
        });
    }

    static Worker described() {
        return Worker.named("backups")
                .reconcile(ServiceAccount.class)
                .when(Filter.labelsMatch(Map.of("backup", "yes")))
                .owning(Job.class)
                .watching(Secret.class, Link.label("example.com/backup-of"))
                .watching(
                        ConfigMap.class,
                        Link.namedBy(account -> List.of(new ObjectName(
                                account.getMetadata().getNamespace(),
                                account.getMetadata().getName() + "-settings"))))
                .backoff(Backoff.exponential().upTo(8))
                .concurrency(20)
                .attemptTimeout(Duration.ofMinutes(1))
                .resync(Duration.ofHours(6))
                .schedule("0 3 * * *")
                .classifying(error ->
                        error instanceof TimeoutException ? Optional.of(ErrorClass.UNREACHABLE) : Optional.empty())
                .cleaningUp(
                        "example.com/last-backup",
                        (account, context) -> context.secondaries(Job.class).isEmpty()
                                ? Outcome.done()
                                : Outcome.waiting("for the last backup"))
                .with((account, context) -> Outcome.done());
    }

    static Worker generic() {
        var sites = new ResourceType("example.com", "v1", "Site", "sites", true);
        return Worker.named("sites").reconcile(sites).owning(Deployment.class).with((site, context) -> {
            String domain = site.get("spec", "domain");
            return domain == null ? Outcome.failed("a site needs a domain") : Outcome.done();
        });
    }

    static void writing(ConfigMap map, Context<ConfigMap> context) {
        ConfigMap copy = context.apply(new ConfigMapBuilder()
                .withNewMetadata()
                .withName(map.getMetadata().getName() + "-copy")
                .endMetadata()
                .withData(map.getData())
                .build());
        context.apply(copy, ConflictPolicy.FAIL); // 409 where somebody else manages a field
        context.secondary(ConfigMap.class, "former").ifPresent(context::delete);
        context.event(EventType.NORMAL, "Copied", "to " + copy.getMetadata().getName());
    }

    static List<Condition> conditions(
            @Nullable List<Condition> existing, Deployment deployment, int ready, Context<Deployment> context) {
        return Conditions.of(existing, deployment, context.now())
                .with("Ready", ready >= 3, ready >= 3 ? "AllReady" : "ReplicasMissing", ready + " of 3")
                .without("Progressing")
                .list();
    }

    static ResourcePlan<ServiceAccount> plan(Deployment database, Service entrance) {
        return ResourcePlan.<ServiceAccount>draft()
                .part("database", Deployment.class, account -> database)
                .part(new ResourcePlan.Part<>(
                        "entrance",
                        Service.class,
                        account -> entrance,
                        Set.of("database"),
                        (account, context) -> !account.isMarkedForDeletion(),
                        service -> service.getStatus() != null))
                .build();
    }

    static Outcome outcomes(Job job) {
        if (job.getStatus() == null) {
            return Outcome.waiting("the job has not begun"); // its first change wakes the handler
        }
        if (job.getStatus().getFailed() != null) {
            return Outcome.retry("a pod failed"); // with backoff, and counted
        }
        return Outcome.requeueAfter(Duration.ofMinutes(10)); // or earlier, when something changes
    }
}
