package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.Catalog;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.Journal;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Packing;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ObjectNode;

/** One simulated cluster: its objects, the resources that it serves and the controllers that run in it. Thread-safe. */
public final class Cluster implements AutoCloseable {
    private static final ObjectType NAMESPACES = new ObjectType("", "namespaces");
    private static final List<String> FIRST_NAMESPACES =
            List.of("kube-system", "kube-public", "kube-node-lease", "default");

    /**
     * How a cluster behaves.
     *
     * @param folder keeps the objects if given
     * @param historyWindow how many changes can still be watched
     * @param workloads whether Deployments and their like become ready
     * @param podDelay how long a pod takes to run
     * @param packing shared by clusters that are alike
     */
    public record Settings(
            Optional<Path> folder,
            int historyWindow,
            boolean workloads,
            Duration podDelay,
            Clock clock,
            RandomGenerator random,
            Packing packing) {}

    private final Store store;
    private final Catalog catalog = new Catalog();
    private final Watches watches;
    private final Controllers controllers = new Controllers();
    private final Router router;
    private final Optional<Journal> journal;

    /** Starts a cluster; from its folder where there is one. */
    public Cluster(Settings settings) throws IOException {
        store = new Store(settings.historyWindow(), settings.packing());
        watches = new Watches(store, catalog, settings.clock());
        CustomDefinitions definitions = new CustomDefinitions(store, catalog, watches::endAll);
        Admission admission = new Admission(store, definitions);
        Writer writer = new Writer(store, settings.clock(), settings.random(), admission);
        Deleter deleter = new Deleter(store, writer, admission);
        Objects objects = new Objects(catalog, store, writer, deleter);
        definitions.reportTo(accepted -> establish(objects, accepted));
        journal = settings.folder().isPresent()
                ? Optional.of(Journal.open(settings.folder().get(), store))
                : Optional.empty();
        definitions.load();
        bootstrap(objects, settings.workloads());
        router = new Router(store, catalog, definitions, writer, deleter, new Reader(store, settings.clock()), watches);
        List<Controllers.Controller> running = new ArrayList<>();
        running.add(new GarbageCollector(objects));
        running.add(new Terminations(objects));
        if (settings.workloads()) {
            running.add(new Pods(objects, controllers, settings.podDelay()));
            running.add(new ReplicaSets(objects));
            running.add(new Deployments(objects));
            running.add(new StatefulSets(objects));
            running.add(new Jobs(objects));
            running.add(new CronJobs(objects, controllers, settings.clock()));
        }
        controllers.start(store, running);
    }

    private static void establish(Objects objects, ObjectNode accepted) {
        objects.modify(
                CustomDefinitions.TYPE,
                Json.text(accepted, "metadata", "name"),
                "status",
                "kube-apiserver",
                changed -> {
                    changed.set("status", accepted.get("status"));
                    Json.metadata(changed).set("finalizers", Json.array().add(CustomDefinitions.FINALIZER));
                    return changed;
                });
    }

    private static void bootstrap(Objects objects, boolean workloads) {
        for (String name : FIRST_NAMESPACES) {
            if (objects.find(NAMESPACES, name).isEmpty()) {
                ObjectNode namespace = Json.object();
                Json.metadata(namespace).put("name", name);
                objects.create(NAMESPACES, "kube-apiserver", namespace);
            }
        }
        ObjectType services = new ObjectType("", "services");
        if (objects.find(services, "default/kubernetes").isEmpty()) {
            ObjectNode service = Json.object();
            ObjectNode metadata =
                    Json.metadata(service).put("name", "kubernetes").put("namespace", "default");
            Json.child(metadata, "labels").put("component", "apiserver").put("provider", "kubernetes");
            ObjectNode spec = Json.child(service, "spec").put("clusterIP", "10.96.0.1");
            spec.set(
                    "ports",
                    Json.array()
                            .add(Json.object()
                                    .put("name", "https")
                                    .put("port", 443)
                                    .put("targetPort", 6443)));
            objects.create(services, "kube-apiserver", service);
        }
        ObjectType nodes = new ObjectType("", "nodes");
        if (workloads && objects.find(nodes, Pods.NODE).isEmpty()) {
            ObjectNode node = Json.object();
            Json.metadata(node).put("name", Pods.NODE);
            objects.create(nodes, "kubelet", node);
            objects.modify(nodes, Pods.NODE, "status", "kubelet", changed -> {
                ObjectNode status = Json.child(changed, "status");
                Children.condition(status, "Ready", true, "KubeletReady", "simulated node", objects.now());
                Json.child(status, "nodeInfo").put("kubeletVersion", "v1.36.3");
                return changed;
            });
        }
    }

    /** Answers a request that is not a watch; failures are answers too. */
    public ApiResponse handle(ApiRequest request) {
        try {
            return router.handle(request);
        } catch (ApiFailure failure) {
            return ApiResponse.failure(failure);
        }
    }

    /**
     * Opens a watch if the request asks for one; empty if it is an ordinary request.
     *
     * @throws ApiFailure if the watch is refused before it starts
     */
    public Optional<Watch> watch(ApiRequest request) {
        return router.watch(request);
    }

    /** Called a few times a second; keeps the time of watches. */
    public void tick() {
        watches.tick();
    }

    /**
     * Lets reads of a resource fail as they do while its conversion webhook is down.
     *
     * @param resource for example {@code widgets.example.com}
     */
    public void failReads(String resource, boolean failing) {
        router.failReads(resource, failing);
    }

    /**
     * Stores an object as it is, with nothing checked or filled in: for many that are known to be right.
     *
     * @param expected the revision that it has now; 0 if it must not exist
     * @param body its JSON from its revision, without kind and apiVersion, in the order in which objects are stored
     * @return its revision; 0 if it is not as expected, and then nothing is stored
     */
    public long takeOver(ObjectType type, String key, long expected, LongFunction<byte[]> body) {
        return store.exclusively(() -> {
            long present = store.find(type, key).map(Stored::revision).orElse(0L);
            return present == expected ? store.put(type, key, body).revision() : 0L;
        });
    }

    /**
     * Deletes objects of one type under one resourceVersion, as a server may, with nothing checked or awaited: for types whose
     * end concerns nothing else, and objects without finalizers.
     *
     * @param keys {@code namespace/name} of objects; those that do not exist are left out
     */
    public void deleteTogether(ObjectType type, List<String> keys) {
        store.exclusively(() -> store.removeTogether(
                type,
                keys.stream().filter(key -> store.find(type, key).isPresent()).toList(),
                Bodies::atRevision));
    }

    /**
     * Tells of every change from now on: the whole history that any watch shows a part of.
     *
     * @param observer called in the order of changes while nothing else can change; must be quick
     */
    public void observe(Consumer<Change> observer) {
        store.observe(observer);
    }

    public int openWatches() {
        return watches.count();
    }

    public long resourceVersion() {
        return store.revision();
    }

    /** Forgets the history, so that older watches and continue tokens get 410. */
    public void compact() {
        store.compact();
    }

    @Override
    public void close() {
        watches.endAll();
        controllers.close();
        journal.ifPresent(open -> {
            try {
                store.exclusively(() -> {
                    try {
                        open.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return open;
                });
            } catch (UncheckedIOException e) {
                throw new UncheckedIOException("cannot close the journal", e.getCause());
            }
        });
    }
}
