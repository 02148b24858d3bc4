package io.evenkeel.watcher.preflight;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Selection;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.watcher.ResourceName;
import io.evenkeel.watcher.connection.Answer;
import io.evenkeel.watcher.connection.ClusterConnection;
import io.evenkeel.watcher.connection.Discovered;
import io.evenkeel.watcher.connection.DiscoveryRefusedException;
import io.evenkeel.watcher.connection.ResourceType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks clusters whether a watcher would be able to watch them; changes nothing. */
public final class Preflight {
    private static final int CLUSTERS_AT_ONCE = 16;
    private static final int HTTP_THREADS = 4;
    private static final String ACCESS_REVIEWS = "apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    private static final String SELF_REVIEWS = "apis/authentication.k8s.io/v1/selfsubjectreviews";

    /** Without which the watcher hears of new ones some time later. */
    private static final ResourceName DEFINITIONS =
            new ResourceName("customresourcedefinitions", "apiextensions.k8s.io");

    private final ShardsOfCluster shards;
    private final InstantSource clock;

    /** Which shards a cluster has. */
    @FunctionalInterface
    public interface ShardsOfCluster {
        /** @param served what the cluster can list and watch */
        Map<ShardKey, Selection> of(ClusterDefinition cluster, Collection<ResourceType> served);
    }

    /** @param shards that are to be watched in each cluster */
    public Preflight(ShardsOfCluster shards, InstantSource clock) {
        this.shards = shards;
        this.clock = clock;
    }

    /** Asks all of them, some at a time; the reports are in the order of the clusters. */
    public List<ClusterReport> check(Collection<ClusterDefinition> clusters) throws InterruptedException {
        try (var http = Executors.newFixedThreadPool(
                        HTTP_THREADS, Thread.ofPlatform().daemon().factory());
                var askers = Executors.newFixedThreadPool(
                        CLUSTERS_AT_ONCE, Thread.ofVirtual().factory())) {
            var reports = new ArrayList<ClusterReport>();
            for (Future<ClusterReport> report : askers.invokeAll(clusters.stream()
                    .<java.util.concurrent.Callable<ClusterReport>>map(cluster -> () -> check(cluster, http))
                    .toList())) {
                reports.add(report.get());
            }
            return reports;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a cluster could not be checked", e);
        }
    }

    private ClusterReport check(ClusterDefinition cluster, Executor http) throws InterruptedException {
        try (var connection = new ClusterConnection(cluster, http, new SimpleMeterRegistry(), clock)) {
            return askOrSay(connection);
        } catch (StartupException e) {
            return new ClusterReport.Unreachable(cluster.name(), e.getMessage());
        }
    }

    private ClusterReport askOrSay(ClusterConnection connection) throws InterruptedException {
        try {
            return ask(connection);
        } catch (IOException e) {
            return new ClusterReport.Unreachable(
                    connection.name(),
                    address(connection) + " can't be asked (" + reason(e)
                            + "). Check that it runs and that its definition is right.");
        }
    }

    /** What people look for in a definition first. */
    private static String address(ClusterConnection connection) throws InterruptedException {
        try {
            return connection.address().toString();
        } catch (IOException e) {
            return "it"; // the definition is at fault, and the reason says so
        }
    }

    private ClusterReport ask(ClusterConnection connection) throws IOException, InterruptedException {
        Optional<String> user;
        try (Answer answer = connection.create(
                SELF_REVIEWS,
                Json.write(Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview")))) {
            if (answer.status() == 401) {
                return new ClusterReport.Unauthenticated(connection.name());
            }
            refuseFailure(answer);
            user = Optional.of(answer.small().text("status", "userInfo", "username"))
                    .filter(name -> !name.isEmpty());
        }
        List<ResourceType> served = served(connection);
        var reports = new ArrayList<ResourceReport>();
        for (Map.Entry<ShardKey, Selection> shard :
                shards.of(connection.definition(), served).entrySet()) {
            var resource =
                    new ResourceName(shard.getKey().resource(), shard.getKey().group());
            reports.add(report(connection, resource, shard.getValue().namespace()));
        }
        Permission identity =
                may(connection, Map.of("verb", "get", "group", "", "resource", "namespaces", "name", "kube-system"));
        ResourceReport definitions = report(connection, DEFINITIONS, Optional.empty());
        return new ClusterReport.Answered(connection.name(), user, reports, identity, definitions);
    }

    private ResourceReport report(ClusterConnection connection, ResourceName resource, Optional<String> namespace)
            throws IOException, InterruptedException {
        String where = namespace.orElse("");
        return new ResourceReport(
                resource,
                namespace,
                existence(connection, resource),
                may(connection, attributes("list", resource, where)),
                may(connection, attributes("watch", resource, where)));
    }

    /** Nothing if the cluster does not say: then resources that are named can still be asked for. */
    private List<ResourceType> served(ClusterConnection connection) throws IOException, InterruptedException {
        try {
            return connection.served(clock.instant()).types();
        } catch (DiscoveryRefusedException e) {
            return List.of();
        }
    }

    private Existence existence(ClusterConnection connection, ResourceName resource)
            throws IOException, InterruptedException {
        return switch (connection.discover(resource.group(), resource.plural(), Instant.MIN)) {
            case Discovered.Present present -> Existence.PRESENT;
            case Discovered.Absent absent -> Existence.ABSENT;
            case Discovered.Refused refused -> Existence.UNKNOWN;
        };
    }

    private static Map<String, String> attributes(String verb, ResourceName resource, String namespace) {
        return Map.of("verb", verb, "group", resource.group(), "resource", resource.plural(), "namespace", namespace);
    }

    private static Permission may(ClusterConnection connection, Map<String, String> attributes)
            throws IOException, InterruptedException {
        byte[] review = Json.write(Map.of(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SelfSubjectAccessReview",
                "spec",
                Map.of("resourceAttributes", attributes)));
        try (Answer answer = connection.create(ACCESS_REVIEWS, review)) {
            refuseFailure(answer);
            if (answer.status() != 201) {
                return Permission.UNKNOWN;
            }
            boolean allowed =
                    answer.small().root().path("status").path("allowed").asBoolean(false);
            return allowed ? Permission.ALLOWED : Permission.DENIED;
        }
    }

    private static void refuseFailure(Answer answer) throws IOException {
        if (answer.status() == 429 || answer.status() >= 500) {
            throw new IOException("the API server answered " + answer.status());
        }
    }

    /** Connection failures often have a message only in their cause, or none but the type's name. */
    private static String reason(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
                return cause.getMessage();
            }
        }
        return failure.getClass().getSimpleName();
    }
}
