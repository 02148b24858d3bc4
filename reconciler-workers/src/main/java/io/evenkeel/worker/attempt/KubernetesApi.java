package io.evenkeel.worker.attempt;

import io.evenkeel.reconciler.ErrorClassifier;
import io.evenkeel.reconciler.ResourceType;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The few requests that the engine sends to one cluster, as bytes: what comes back is kept as it is and decoded only if
 * a handler asks. Uses the HTTP client of fabric8's client, and so its credentials. Thread-safe; calls block.
 */
public final class KubernetesApi {
    private static final long TIMEOUT_SECONDS = 30;
    private static final int NOT_FOUND = 404;
    private static final int LOWEST_STATUS = 100;
    private static final int TOO_MANY = 429;

    /** The header may also hold a date, which no API server sends. */
    private static final Predicate<String> SECONDS =
            Pattern.compile("[0-9]{1,6}").asMatchPredicate();

    /**
     * Requests at one time to one cluster. The JDK's client opens one HTTP/2 connection per host and fails a request
     * beyond the streams that the server allows, which are 100 on a kube-apiserver.
     */
    private static final int MOST_REQUESTS = 90;

    private final KubernetesClient client;
    private final Reach reach;
    private final RequestPace pace;
    private final String base;
    private final Semaphore requests = new Semaphore(MOST_REQUESTS, true);

    /**
     * @param client its built-in retries should be off: a failure is the engine's to retry
     * @param reach is told whether the server answers
     * @param pace how fast requests may go; all clients of one cluster share it
     */
    public KubernetesApi(KubernetesClient client, Reach reach, RequestPace pace) {
        this.client = client;
        this.reach = reach;
        this.pace = pace;
        String url = client.getMasterUrl().toString();
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** Is told whether a server answers, whatever it says. Thread-safe. */
    public interface Reach {
        /** It answered. */
        void answered();

        /** It did not: no connection, or none that held until the answer. */
        void broke(String cause);

        /** Why nothing should be asked of it now; empty if there is no reason. */
        Optional<String> closedBecause();
    }

    /** Asks for something small, also of a server that counts as unreachable; what is answered does not matter. */
    public void probe() throws InterruptedException {
        try {
            requests.acquire();
            exchange("GET", base + "/version", "", "");
        } catch (KubernetesClientException e) {
            if (e.getCode() < LOWEST_STATUS) { // the library's way to say that nobody answered is -1
                throw e;
            }
        }
    }

    /** Turns Java objects into JSON and back. */
    public KubernetesSerialization serialization() {
        return client.getKubernetesSerialization();
    }

    /** Reads an object; empty if there is none. */
    public Optional<byte[]> get(ResourceType type, String namespace, String name) throws InterruptedException {
        try {
            return Optional.of(send("GET", url(type, namespace, name), "", ""));
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Server-side apply.
     *
     * @param force whether it takes over fields that others manage
     */
    public byte[] apply(
            ResourceType type, String namespace, String name, String json, String fieldManager, boolean force)
            throws InterruptedException {
        String url = url(type, namespace, name) + "?force=" + force + "&fieldManager=" + encoded(fieldManager);
        return send("PATCH", url, "application/apply-patch+yaml", json);
    }

    /** JSON merge patch of an object or, if {@code subresource} is not empty, of a part of it. */
    public byte[] merge(
            ResourceType type, String namespace, String name, String subresource, String json, String fieldManager)
            throws InterruptedException {
        String url = url(type, namespace, name) + (subresource.isEmpty() ? "" : "/" + subresource) + "?fieldManager="
                + encoded(fieldManager);
        return send("PATCH", url, "application/merge-patch+json", json);
    }

    /** Replaces an object; the server compares the resourceVersion in it. */
    public byte[] update(ResourceType type, String namespace, String name, String json, String fieldManager)
            throws InterruptedException {
        String url = url(type, namespace, name) + "?fieldManager=" + encoded(fieldManager);
        return send("PUT", url, "application/json", json);
    }

    /** Creates an object. */
    public byte[] create(ResourceType type, String namespace, String json, String fieldManager)
            throws InterruptedException {
        String url = collection(type, namespace) + "?fieldManager=" + encoded(fieldManager);
        return send("POST", url, "application/json", json);
    }

    /** Deletes an object: its last state, or a Status; empty if there is none. */
    public Optional<byte[]> delete(ResourceType type, String namespace, String name, String options)
            throws InterruptedException {
        try {
            return Optional.of(send("DELETE", url(type, namespace, name), "application/json", options));
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private String url(ResourceType type, String namespace, String name) {
        return collection(type, namespace) + "/" + encoded(name);
    }

    private String collection(ResourceType type, String namespace) {
        String root = type.group().isEmpty() ? "/api/" : "/apis/";
        String scope = type.namespaced() ? "/namespaces/" + encoded(namespace) : "";
        return base + root + type.apiVersion() + scope + "/" + type.plural();
    }

    private byte[] send(String method, String url, String contentType, String body) throws InterruptedException {
        pace.await();
        requests.acquire();
        // Whoever waited for a server that hung must not try it out in turn.
        Optional<String> closed = reach.closedBecause();
        if (closed.isPresent()) {
            requests.release();
            throw new ClusterClosedException(closed.get());
        }
        return exchange(method, url, contentType, body);
    }

    /** Takes a permit of {@code requests} with it. */
    private byte[] exchange(String method, String url, String contentType, String body) throws InterruptedException {
        HttpRequest.Builder request =
                client.getHttpClient().newHttpRequestBuilder().uri(url);
        request.timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (!method.equals("GET")) {
            request.method(method, contentType, body);
        }
        CompletableFuture<HttpResponse<byte[]>> sent = sending(request.build());
        CompletableFuture<HttpResponse<byte[]>> answer = sent.whenComplete((response, failure) -> requests.release());
        try {
            HttpResponse<byte[]> response = answer.get();
            reach.answered();
            if (response.isSuccessful()) {
                return response.body();
            }
            throw refused(method, url, response);
        } catch (ExecutionException e) {
            reach.broke(String.valueOf(e.getCause()));
            throw new KubernetesClientException(method + " " + path(url) + " failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw e;
        }
    }

    private CompletableFuture<HttpResponse<byte[]>> sending(HttpRequest request) {
        try {
            return client.getHttpClient().sendAsync(request, byte[].class);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private KubernetesClientException refused(String method, String url, HttpResponse<byte[]> response) {
        Status status = withRetryAfter(status(response), response);
        int patience = ErrorClassifier.retryAfterSeconds(status);
        if (response.code() == TOO_MANY || patience > 0) {
            pace.pause(Duration.ofSeconds(Math.max(1, patience)));
        }
        String detail = status.getMessage() == null ? "no message" : status.getMessage();
        return new KubernetesClientException(
                method + " " + path(url) + " was answered " + response.code() + ": " + detail, response.code(), status);
    }

    /** What stands in the header only, as with proxies, is said in the status too. */
    private static Status withRetryAfter(Status status, HttpResponse<byte[]> response) {
        if (ErrorClassifier.retryAfterSeconds(status) > 0) {
            return status;
        }
        int seconds = Optional.ofNullable(response.header("Retry-After"))
                .filter(SECONDS)
                .map(Integer::parseInt)
                .orElse(0);
        return seconds == 0
                ? status
                : new StatusBuilder(status)
                        .editOrNewDetails()
                        .withRetryAfterSeconds(seconds)
                        .endDetails()
                        .build();
    }

    private Status status(HttpResponse<byte[]> response) {
        try {
            return serialization().unmarshal(new String(response.body(), StandardCharsets.UTF_8), Status.class);
        } catch (RuntimeException e) {
            return new Status(); // a proxy's page, or nothing: the code has to do
        }
    }

    private String path(String url) {
        int query = url.indexOf('?');
        return url.substring(base.length(), query < 0 ? url.length() : query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
