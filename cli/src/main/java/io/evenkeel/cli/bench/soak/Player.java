package io.evenkeel.cli.bench.soak;

import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.Darkness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Does to one server, and to the proxy before it, what a plan says. Not thread-safe. */
final class Player {
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String DEFINITIONS = "apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 5;

    private final SoakServer server;
    private final FaultProxy proxy;
    private final Set<SoakKind> defined = new HashSet<>();

    Player(SoakServer server, FaultProxy proxy) {
        this.server = server;
        this.proxy = proxy;
    }

    /** Makes the definitions that a history begins with. */
    void prepare(List<SoakKind> kinds) throws InterruptedException {
        for (SoakKind kind : kinds) {
            if (kind.custom()) {
                define(kind);
            } else {
                server.defined(kind);
            }
        }
    }

    void play(List<Act> acts) throws InterruptedException {
        for (Act act : acts) {
            play(act);
        }
    }

    /**
     * Makes an object of each kind that is defined: once it is on the log, so is all that came before.
     *
     * @return the kinds that have it
     */
    List<SoakKind> mark(List<SoakKind> kinds, String name) throws InterruptedException {
        var marked = new ArrayList<SoakKind>();
        for (SoakKind kind : kinds) {
            if (!kind.custom() || defined.contains(kind)) {
                play(new Act.Create(kind, name, 0, false));
                marked.add(kind);
            }
        }
        return marked;
    }

    private void play(Act act) throws InterruptedException {
        switch (act) {
            case Act.Create create -> expect(send("POST", collection(create.kind()), JSON, object(create)), 201, act);
            case Act.Change(SoakKind kind, String name, int value, Act.Part part) -> {
                String path = path(kind, name) + (part == Act.Part.STATUS ? "/status" : "");
                expect(send("PATCH", path, MERGE, patch(kind, value, part)), 200, act);
            }
            case Act.Delete(SoakKind kind, String name) ->
                expect(send("DELETE", path(kind, name), JSON, "{}"), 200, act);
            case Act.Release(SoakKind kind, String name) ->
                expect(send("PATCH", path(kind, name), MERGE, "{\"metadata\":{\"finalizers\":null}}"), 200, act);
            case Act.DeleteTogether(SoakKind kind, List<String> names) -> server.deleteTogether(kind, names);
            case Act.DropDefinition(SoakKind kind) -> drop(kind);
            case Act.MakeDefinition(SoakKind kind) -> define(kind);
            case Act.Compact compact -> server.compact();
            case Act.Break(var rule) -> proxy.add(rule);
            case Act.Disconnect disconnect -> {
                proxy.blackout(Darkness.REFUSED);
                proxy.restore();
            }
            case Act.Pause(int millis) -> TimeUnit.MILLISECONDS.sleep(millis);
        }
    }

    private int send(String method, String path, String contentType, String json) throws InterruptedException {
        return server.send(method, path, contentType, json);
    }

    /** A plan does nothing that a server refuses: else the history would not be the one that was drawn. */
    private void expect(int status, int expected, Act act) {
        if (status != expected) {
            throw new IllegalStateException(
                    "cluster " + server.cluster() + " answered " + status + " to " + act + ", not " + expected);
        }
    }

    private void drop(SoakKind kind) throws InterruptedException {
        String path = DEFINITIONS + "/" + kind.resource();
        expect(send("DELETE", path, JSON, "{}"), 200, new Act.DropDefinition(kind));
        await(path, 404);
        defined.remove(kind);
    }

    private void define(SoakKind kind) throws InterruptedException {
        expect(send("POST", DEFINITIONS, JSON, definition(kind)), 201, new Act.MakeDefinition(kind));
        await(collection(kind), 200);
        server.defined(kind);
        defined.add(kind);
    }

    private void await(String path, int status) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int found = send("GET", path, JSON, ""); found != status; found = send("GET", path, JSON, "")) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("/" + path + " still answers " + found + ", not " + status);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private String collection(SoakKind kind) {
        return kind.collection(server.namespace());
    }

    private String path(SoakKind kind, String name) {
        return collection(kind) + "/" + name;
    }

    private static String object(Act.Create create) {
        SoakKind kind = create.kind();
        return "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.kind()
                + "\",\"metadata\":{\"name\":\""
                + create.name() + "\"" + (create.held() ? ",\"finalizers\":[\"soak.example.com/held\"]" : "") + "},"
                + data(kind, create.value()) + "}";
    }

    private static String patch(SoakKind kind, int value, Act.Part part) {
        return switch (part) {
            case DATA -> "{" + data(kind, value) + "}";
            case LABEL_IN -> "{\"metadata\":{\"labels\":{\"chosen\":\"yes\",\"round\":\"" + value + "\"}}}";
            case LABEL_OUT -> "{\"metadata\":{\"labels\":{\"chosen\":null,\"round\":\"" + value + "\"}}}";
            case ANNOTATION -> "{\"metadata\":{\"annotations\":{\"soak.example.com/value\":\"" + value + "\"}}}";
            case STATUS -> "{\"status\":{\"value\":" + value + "}}";
        };
    }

    private static String data(SoakKind kind, int value) {
        return kind.custom() ? "\"spec\":{\"value\":" + value + "}" : "\"data\":{\"value\":\"" + value + "\"}";
    }

    private static String definition(SoakKind kind) {
        String properties = "{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"integer\"}}}";
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%s"},
             "spec":{"group":"%s","scope":"Namespaced","names":{"plural":"%s","kind":"%s"},
              "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":%s,"status":%s}}}}]}}
            """.formatted(kind.resource(), kind.group(), kind.plural(), kind.kind(), properties, properties);
    }

    /** How many requests or watches were hit on purpose. */
    long faults() {
        return proxy.counts().values().stream()
                .mapToLong(count -> count.happened())
                .sum();
    }

    /** From now on nothing goes wrong any more. */
    void calm() {
        proxy.restore();
        Map.copyOf(proxy.counts()).keySet().forEach(proxy::remove);
    }
}
