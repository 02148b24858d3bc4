package io.evenkeel.watcher.connection;

import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.watcher.frame.SmallObject;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The way to one cluster's API server; everything that is asked of it is counted by verb and answer. Thread-safe. */
public final class ClusterConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterConnection.class);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(60);
    private static final Duration RELOAD_INTERVAL = Duration.ofSeconds(10);
    private static final Duration IDENTITY_AGE = Duration.ofSeconds(5);
    private static final int LISTS_AT_ONCE = 4;
    private static final String NO_ANSWER = "none";
    private static final String WINDOW = "jdk.httpclient.windowsize";

    static {
        // Before the first client: an unread watch may hold this much, and the JDK's default is 16 MiB.
        if (System.getProperty(WINDOW) == null) {
            System.setProperty(WINDOW, Integer.toString(256 << 10));
        }
    }

    private final ClusterSettings cluster;
    private final Executor executor;
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final ClientPool clients;
    private final Counter received;
    private final Counter reconnects;
    private final Semaphore lists = new Semaphore(LISTS_AT_ONCE, true);
    private final ReentrantLock identityLock = new ReentrantLock();
    private volatile Credentials credentials;
    private Instant reloaded;
    private Instant identityRead = Instant.MIN;
    private Optional<String> identity = Optional.empty();

    /**
     * Reads the credentials; nothing is sent yet.
     *
     * @param executor shared by all clusters' clients; a few threads are enough
     * @throws io.evenkeel.runtime.process.StartupException if the kubeconfig cannot be used
     */
    public ClusterConnection(ClusterSettings cluster, Executor executor, MeterRegistry registry, InstantSource clock) {
        this.cluster = cluster;
        this.executor = executor;
        this.registry = registry;
        this.clock = clock;
        this.credentials = Credentials.load(cluster);
        this.reloaded = clock.instant();
        this.clients = new ClientPool(this::client, this::warmUp);
        this.received = registry.counter("evenkeel.watcher.received.bytes", "cluster", cluster.name());
        this.reconnects = registry.counter("evenkeel.watcher.reconnects", "cluster", cluster.name());
        credentials.tls();
    }

    /** Id of the cluster. */
    public String name() {
        return cluster.name();
    }

    /** Address of its API server. */
    public URI address() {
        return credentials.server();
    }

    /** Limits how many lists of this cluster run at once. */
    public Semaphore lists() {
        return lists;
    }

    /**
     * Sends a GET and returns when the answer begins.
     *
     * @param verb for the count: list, watch, probe, get or discover
     * @param pathAndQuery without a leading slash
     * @param silence longest time without a byte of the body
     */
    public Answer open(String verb, String pathAndQuery, Duration silence) throws IOException, InterruptedException {
        return send(verb, pathAndQuery, Optional.empty(), silence);
    }

    /**
     * Creates an object, such as a review that the server answers and nobody stores; returns when the answer begins.
     *
     * @param path without a leading slash
     * @param json the object
     */
    public Answer create(String path, byte[] json) throws IOException, InterruptedException {
        return send("create", path, Optional.of(json), ANSWER_PATIENCE);
    }

    private Answer send(String verb, String pathAndQuery, Optional<byte[]> created, Duration silence)
            throws IOException, InterruptedException {
        ClientPool.Lease lease = clients.lease();
        try {
            HttpRequest.Builder request = request(pathAndQuery).timeout(ANSWER_PATIENCE);
            created.ifPresent(json -> request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(json)));
            HttpResponse<StreamingBody> response =
                    lease.client().send(request.build(), headers -> new StreamingBody(silence, received));
            count(verb, Integer.toString(response.statusCode()));
            if (response.statusCode() == 401) {
                reloadCredentials();
            }
            return new Answer(response.statusCode(), retryAfter(response), response.body(), lease);
        } catch (IOException e) {
            count(verb, NO_ANSWER);
            lease.close();
            throw e;
        } catch (InterruptedException | RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    private void count(String verb, String code) {
        registry.counter("evenkeel.watcher.api.requests", "cluster", cluster.name(), "verb", verb, "code", code)
                .increment();
    }

    /** A watch is opened in place of one that ended. */
    public void countReconnect() {
        reconnects.increment();
    }

    /** Asks which version and kind the server has for a resource. */
    public Discovered discover(String group, String plural) throws IOException, InterruptedException {
        var versions = new ArrayList<String>();
        if (group.isEmpty()) {
            versions.add("v1");
        } else {
            try (Answer answer = open("discover", "apis/" + group, ANSWER_PATIENCE)) {
                if (answer.status() == 404) {
                    return new Discovered.Absent();
                }
                if (answer.status() != 200) {
                    return new Discovered.Refused(answer.status(), answer.retryAfter());
                }
                SmallObject found = answer.small();
                versions.add(found.text("preferredVersion", "version"));
                for (JsonNode version : found.root().path("versions")) {
                    versions.add(version.path("version").asString(""));
                }
            }
        }
        for (String version :
                versions.stream().distinct().filter(text -> !text.isEmpty()).toList()) {
            Discovered found = discover(group, version, plural);
            if (!(found instanceof Discovered.Absent)) {
                return found;
            }
        }
        return new Discovered.Absent();
    }

    private Discovered discover(String group, String version, String plural) throws IOException, InterruptedException {
        String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
        try (Answer answer = open("discover", path, ANSWER_PATIENCE)) {
            if (answer.status() == 404) {
                return new Discovered.Absent();
            }
            if (answer.status() != 200) {
                return new Discovered.Refused(answer.status(), answer.retryAfter());
            }
            for (JsonNode resource : answer.small().root().path("resources")) {
                List<String> verbs = resource.path("verbs")
                        .valueStream()
                        .map(verb -> verb.asString(""))
                        .toList();
                if (resource.path("name").asString("").equals(plural) && verbs.contains("watch")) {
                    String kind = resource.path("kind").asString("");
                    return new Discovered.Present(new ResourceType(group, version, plural, kind));
                }
            }
            return new Discovered.Absent();
        }
    }

    /**
     * The uid of the namespace kube-system, which tells a cluster from one that was put in its place; empty if we may not
     * read it. At most a few seconds old.
     */
    public Optional<String> identity() throws IOException, InterruptedException {
        identityLock.lockInterruptibly();
        try {
            Instant now = clock.instant();
            if (identityRead.plus(IDENTITY_AGE).isBefore(now)) {
                try (Answer answer = open("get", "api/v1/namespaces/kube-system", ANSWER_PATIENCE)) {
                    if (answer.status() >= 500 || answer.status() == 429) {
                        throw new IOException("the API server answered " + answer.status());
                    }
                    identity =
                            Optional.of(answer.small().text("metadata", "uid")).filter(uid -> !uid.isEmpty());
                    identityRead = now;
                }
            }
            return identity;
        } finally {
            identityLock.unlock();
        }
    }

    /** Makes the next call of {@link #identity} ask the server, because a connection to it broke. */
    public void doubtIdentity() {
        identityLock.lock();
        try {
            identityRead = Instant.MIN;
        } finally {
            identityLock.unlock();
        }
    }

    @Override
    public void close() {
        clients.close();
    }

    private void reloadCredentials() {
        identityLock.lock();
        try {
            Instant now = clock.instant();
            if (reloaded.plus(RELOAD_INTERVAL).isAfter(now)) {
                return;
            }
            reloaded = now;
            credentials = Credentials.load(cluster);
        } finally {
            identityLock.unlock();
        }
        clients.renew();
        LOG.atInfo().addKeyValue("cluster", cluster.name()).log("credentials were refused; read them again");
    }

    private HttpClient client() {
        Credentials current = credentials;
        boolean encrypted = "https".equals(current.server().getScheme());
        var builder = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(CONNECT_PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(encrypted ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        return encrypted ? builder.sslContext(current.tls()).build() : builder.build();
    }

    private HttpRequest.Builder warmUp() {
        try {
            return request("version");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private HttpRequest.Builder request(String pathAndQuery) throws IOException {
        Credentials current = credentials;
        URI target = URI.create(current.server() + pathAndQuery);
        HttpRequest.Builder request = HttpRequest.newBuilder(target)
                .header("Accept", "application/json")
                .header("User-Agent", "evenkeel-watcher");
        current.authorization().ifPresent(value -> request.header("Authorization", value));
        return request;
    }

    private static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,6}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }
}
