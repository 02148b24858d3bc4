package io.evenkeel.sandbox.fleet;

import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks one cluster what any client could ask, without HTTP. */
record Requests(Cluster cluster) {
    private static final User ADMINISTRATOR = User.administrator("admin");
    private static final String MERGE = "application/merge-patch+json";
    private static final List<String> DEFINITIONS =
            List.of("apis", "apiextensions.k8s.io", "v1", "customresourcedefinitions");

    /** Makes what objects of a fleet presuppose. */
    void prepare(List<String> namespaces) {
        for (FleetKind kind : FleetKind.all()) {
            if (kind.custom()) {
                Map<String, String> values =
                        Map.of("plural", kind.plural(), "singular", kind.singular(), "kind", kind.kind());
                ask(
                        "POST",
                        DEFINITIONS,
                        "application/json",
                        FleetKind.definition().fill(values));
            }
        }
        for (String namespace : namespaces) {
            String object =
                    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}";
            ask(
                    "POST",
                    List.of("api", "v1", "namespaces"),
                    "application/json",
                    object.getBytes(StandardCharsets.UTF_8));
        }
    }

    void create(FleetKind kind, String namespace, byte[] object) {
        ask("POST", kind.collection(namespace), "application/json", object);
    }

    void change(FleetKind kind, String namespace, String name, byte[] patch) {
        List<String> path = object(kind, namespace, name);
        if (!kind.changeAt().isEmpty()) {
            path.add(kind.changeAt());
        }
        ask("PATCH", path, MERGE, patch);
    }

    void delete(FleetKind kind, String namespace, String name) {
        // At once, because no kubelet would end a pod.
        ask("DELETE", object(kind, namespace, name), Map.of("gracePeriodSeconds", "0"), "", new byte[0]);
    }

    byte[] read(FleetKind kind, String namespace, String name) {
        return ask("GET", object(kind, namespace, name), "", new byte[0]);
    }

    private static List<String> object(FleetKind kind, String namespace, String name) {
        List<String> path = new ArrayList<>(kind.collection(namespace));
        path.add(name);
        return path;
    }

    private byte[] ask(String method, List<String> path, String contentType, byte[] body) {
        return ask(method, path, Map.of(), contentType, body);
    }

    private byte[] ask(String method, List<String> path, Map<String, String> query, String contentType, byte[] body) {
        ApiResponse answer = cluster.handle(new ApiRequest(
                method,
                path,
                query,
                "application/json",
                contentType,
                "fleet",
                new ApiRequest.Body(body),
                ADMINISTRATOR));
        // A person who tries things out may have deleted or created what this is about; nothing else goes wrong.
        if (answer.code() >= 400 && answer.code() != 404 && answer.code() != 409) {
            throw new IllegalStateException(
                    method + " /" + String.join("/", path) + ": " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer.body();
    }
}
