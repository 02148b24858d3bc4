package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.JsonNode;

/** A cluster of a {@link KubeSim}, changed without HTTP, whose store tells of every change. */
final class SimulatedServer implements SoakServer {
    private static final User USER = User.administrator("soak");

    private final String name;
    private final Cluster cluster;
    private final String kubeconfig;
    private final Map<ObjectType, SoakKind> kinds = new java.util.HashMap<>();
    private final ConcurrentLinkedQueue<Change> changes = new ConcurrentLinkedQueue<>();

    SimulatedServer(KubeSim sim, String name, List<SoakKind> kinds) {
        this.name = name;
        this.cluster = sim.cluster(name);
        this.kubeconfig = sim.kubeconfig().replaceFirst("current-context: \\S+", "current-context: " + name);
        kinds.forEach(kind -> this.kinds.put(type(kind), kind));
        cluster.observe(change -> {
            if (this.kinds.containsKey(change.type())) {
                changes.add(change);
            }
        });
    }

    @Override
    public String cluster() {
        return name;
    }

    @Override
    public String kubeconfig() {
        return kubeconfig;
    }

    @Override
    public String namespace() {
        return SoakKind.NAMESPACE;
    }

    @Override
    public int send(String method, String path, String contentType, String json) {
        var body = new ApiRequest.Body(json.getBytes(StandardCharsets.UTF_8));
        return cluster.handle(new ApiRequest(
                        method,
                        List.of(path.split("/", -1)),
                        Map.of(),
                        "application/json",
                        contentType,
                        "soak",
                        body,
                        USER))
                .code();
    }

    @Override
    public void deleteTogether(SoakKind kind, List<String> names) {
        cluster.deleteTogether(
                type(kind),
                names.stream().map(object -> namespace() + "/" + object).toList());
    }

    @Override
    public void compact() {
        cluster.compact();
    }

    @Override
    public void defined(SoakKind kind) {
        // The store tells of every kind, defined or not.
    }

    @Override
    public Map<ObjectKey, List<ServerStep>> history() {
        var history = new TreeMap<ObjectKey, List<ServerStep>>();
        for (Change change : changes) {
            SoakKind kind = kinds.get(change.type());
            if (kind == null) {
                throw new IllegalStateException("nobody asked for " + change.type());
            }
            JsonNode object = Json.mapper().readTree(change.after().body());
            JsonNode metadata = object.path("metadata");
            if (!metadata.path("namespace").asString("").equals(namespace())) {
                continue;
            }
            history.computeIfAbsent(
                            kind.key(name, namespace(), metadata.path("name").asString()), any -> new ArrayList<>())
                    .add(new ServerStep(
                            change.revision(),
                            ChangeType.valueOf(change.kind().name()),
                            metadata.path("uid").asString(),
                            Content.of(object)));
        }
        return history;
    }

    @Override
    public void close() {
        // It ends with its simulator.
    }

    private static ObjectType type(SoakKind kind) {
        return new ObjectType(kind.group(), kind.plural());
    }
}
