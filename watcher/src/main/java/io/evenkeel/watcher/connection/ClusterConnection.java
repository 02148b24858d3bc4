package io.evenkeel.watcher.connection;

import io.evenkeel.runtime.cluster.ApiCredentials;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.runtime.process.StartupException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLHandshakeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to one cluster's API server; everything that is asked of it is counted by verb and answer. Thread-safe. */
public final class ClusterConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterConnection.class);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(60);
    private static final Duration RELOAD_INTERVAL = Duration.ofSeconds(10);
    private static final Duration IDENTITY_AGE = Duration.ofSeconds(5);
    private static final Duration ABSENCE_AGE = Duration.ofSeconds(1);
    private static final int LISTS_AT_ONCE = 4;
    private static final String NO_ANSWER = "none";
    private static final String WINDOW = "jdk.httpclient.windowsize";

    static {
        // Before the first client: an unread watch may hold this much, and the JDK's default is 16 MiB.
        if (System.getProperty(WINDOW) == null) {
            System.setProperty(WINDOW, Integer.toString(256 << 10));
        }
    }

    private final String name;
    private final Executor executor;
    private final ConnectionMeters meters;
    private final InstantSource clock;
    private final ClientPool clients;
    private final Semaphore lists = new Semaphore(LISTS_AT_ONCE, true);
    private final ReentrantLock credentialsLock = new ReentrantLock();
    private final ReentrantLock identityLock = new ReentrantLock();
    private final AtomicLong doubts = new AtomicLong();
    private final AtomicBoolean spokeHttp1 = new AtomicBoolean();
    private final Discovery discovery;
    private final DefinitionBell definitions;
    private volatile ClusterDefinition cluster;
    private volatile Optional<ApiCredentials> loaded = Optional.empty();
    private volatile boolean closed;
    private Instant reloaded;
    private Instant identityRead = Instant.MIN;
    private long certain;
    private Optional<String> identity = Optional.empty();

    /**
     * Neither reads credentials nor sends anything before it is used: a kubeconfig may name a command that hangs.
     *
     * @param cluster whose name it keeps
     * @param executor shared by all clusters' clients; a few threads are enough
     */
    public ClusterConnection(
            ClusterDefinition cluster, Executor executor, MeterRegistry registry, InstantSource clock) {
        this.name = cluster.name();
        this.cluster = cluster;
        this.executor = executor;
        this.meters = new ConnectionMeters(registry, name);
        this.clock = clock;
        this.reloaded = clock.instant();
        this.clients = new ClientPool(this::client, this::warmUp);
        this.discovery = new Discovery(this, clock);
        this.definitions = new DefinitionBell(this, clock);
    }

    private ApiCredentials credentials() throws IOException, InterruptedException {
        Optional<ApiCredentials> ready = loaded;
        if (ready.isPresent()) {
            return ready.get();
        }
        credentialsLock.lockInterruptibly();
        try {
            if (loaded.isEmpty()) {
                loaded = Optional.of(ApiCredentials.proven(cluster));
                reloaded = clock.instant();
            }
            return loaded.get();
        } catch (StartupException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            credentialsLock.unlock();
        }
    }

    /** Id of the cluster. */
    public String name() {
        return name;
    }

    /** Whether it was closed, so that nothing can be asked any more. */
    public boolean isClosed() {
        return closed;
    }

    /** How it is reached now. */
    public ClusterDefinition definition() {
        return cluster;
    }

    /** Reaches the cluster as {@code changed} says from now on; whatever is open breaks, and resumes where it was. */
    public void change(ClusterDefinition changed) {
        // On a thread of its own: a cluster that hangs holds its locks for seconds.
        Thread.ofVirtual().name("change-" + name).start(() -> {
            credentialsLock.lock();
            try {
                cluster = changed;
                loaded = Optional.empty();
            } finally {
                credentialsLock.unlock();
            }
            doubtIdentity();
            discovery.forget();
            clients.renew();
        });
    }

    /**
     * Address of its API server.
     *
     * @throws IOException if its definition cannot be used
     */
    public URI address() throws IOException, InterruptedException {
        return credentials().server();
    }

    /** Limits how many lists of this cluster are asked for at once. */
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
        return open(verb, pathAndQuery, silence, Map.of("Accept", "application/json"));
    }

    Answer open(String verb, String pathAndQuery, Duration silence, Map<String, String> headers)
            throws IOException, InterruptedException {
        return send(verb, pathAndQuery, headers, Optional.empty(), silence);
    }

    /**
     * Creates an object, such as a review that the server answers and nobody stores; returns when the answer begins.
     *
     * @param path without a leading slash
     * @param json the object
     */
    public Answer create(String path, byte[] json) throws IOException, InterruptedException {
        Map<String, String> headers = Map.of("Accept", "application/json", "Content-Type", "application/json");
        return send("create", path, headers, Optional.of(json), ANSWER_PATIENCE);
    }

    private Answer send(
            String verb, String pathAndQuery, Map<String, String> headers, Optional<byte[]> created, Duration silence)
            throws IOException, InterruptedException {
        // Here and not by the client: its few threads serve all clusters, and a name that does not resolve takes its
        // time.
        resolve(credentials().server().getHost());
        ClientPool.Lease lease = lease();
        try {
            HttpRequest.Builder request = request(pathAndQuery).timeout(ANSWER_PATIENCE);
            headers.forEach(request::header);
            created.ifPresent(json -> request.POST(HttpRequest.BodyPublishers.ofByteArray(json)));
            HttpResponse<StreamingBody> response =
                    lease.client().send(request.build(), unused -> new StreamingBody(silence, meters.received()));
            meters.request(verb, Integer.toString(response.statusCode()));
            if (response.statusCode() == 401 && reloadCredentials()) {
                clients.renew();
            }
            checkVersion(response.version());
            return new Answer(
                    response.statusCode(),
                    response.version(),
                    retryAfter(response),
                    response.headers().firstValue("ETag"),
                    response.body(),
                    lease);
        } catch (IOException e) {
            meters.request(verb, NO_ANSWER);
            if (isAboutCertificates(e)) {
                lease.abandon();
                reloadCredentials();
            }
            lease.close();
            throw e;
        } catch (InterruptedException | RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    private ClientPool.Lease lease() throws IOException, InterruptedException {
        try {
            return clients.lease();
        } catch (IOException e) {
            if (isAboutCertificates(e)) {
                reloadCredentials();
            }
            throw e;
        }
    }

    /** The server's certificates, or ours, may have been exchanged; connections that are open do not notice. */
    private static boolean isAboutCertificates(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLHandshakeException) {
                return true;
            }
        }
        return false;
    }

    private void checkVersion(HttpClient.Version version) {
        if (version == HttpClient.Version.HTTP_1_1 && spokeHttp1.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("cluster", name)
                    .log("the API server, or what stands before it, does not speak HTTP/2: each watch takes a"
                            + " connection of its own");
        }
    }

    /** A watch is opened in place of one that ended. */
    public void countReconnect() {
        meters.reconnect();
    }

    /**
     * Which version and kind the server has for a resource.
     *
     * @param notBefore an answer that is older does not count
     */
    public Discovered discover(String group, String plural, Instant notBefore)
            throws IOException, InterruptedException {
        try {
            Discovered last = discovery.served(notBefore).find(group, plural);
            // That something is not there is said by a fresh answer only: it may have come since.
            return last instanceof Discovered.Present
                    ? last
                    : discovery.served(clock.instant().minus(ABSENCE_AGE)).find(group, plural);
        } catch (DiscoveryRefusedException e) {
            return e.refused();
        }
    }

    /**
     * Everything that can be listed and watched.
     *
     * @param notBefore an answer that is older does not count
     */
    public ServedResources served(Instant notBefore) throws IOException, InterruptedException {
        return discovery.served(notBefore);
    }

    /** Waits until definitions of custom resources may have changed, not longer than {@code patience}. */
    public void awaitDefinitions(Duration patience) throws InterruptedException {
        definitions.await(patience);
    }

    /**
     * The uid of the namespace kube-system, which tells a cluster from one that was put in its place; empty if we may not
     * read it. At most a few seconds old.
     */
    public Optional<String> identity() throws IOException, InterruptedException {
        identityLock.lockInterruptibly();
        try {
            Instant now = clock.instant();
            long asked = doubts.get();
            if (identityRead.plus(IDENTITY_AGE).isBefore(now) || certain != asked) {
                try (Answer answer = open("get", "api/v1/namespaces/kube-system", ANSWER_PATIENCE)) {
                    if (answer.status() >= 500 || answer.status() == 429) {
                        throw new IOException("the API server answered " + answer.status());
                    }
                    identity =
                            Optional.of(answer.small().text("metadata", "uid")).filter(uid -> !uid.isEmpty());
                    identityRead = now;
                    certain = asked;
                }
            }
            return identity;
        } finally {
            identityLock.unlock();
        }
    }

    /** Makes the next call of {@link #identity} ask the server, because a connection to it broke. */
    public void doubtIdentity() {
        doubts.incrementAndGet();
    }

    /** Nothing is asked or counted any more, and its meters are gone; returns at once, unlike {@link #close}. */
    public void retire() {
        closed = true;
        meters.close();
    }

    @Override
    public void close() {
        retire();
        definitions.close();
        clients.close();
    }

    /** Whether they were read again; not if that was done a moment ago, or cannot be done. */
    private boolean reloadCredentials() {
        credentialsLock.lock();
        try {
            Instant now = clock.instant();
            if (reloaded.plus(RELOAD_INTERVAL).isAfter(now)) {
                return false;
            }
            reloaded = now;
            loaded = Optional.of(ApiCredentials.proven(cluster));
        } catch (StartupException e) {
            LOG.atWarn()
                    .addKeyValue("cluster", name)
                    .addKeyValue("cause", e.getMessage())
                    .log("credentials or certificates were refused, and could not be read again");
            return false;
        } finally {
            credentialsLock.unlock();
        }
        LOG.atInfo().addKeyValue("cluster", name).log("credentials or certificates were refused; read them again");
        return true;
    }

    private HttpClient client() throws IOException, InterruptedException {
        return credentials()
                .prepare(HttpClient.newBuilder())
                .executor(executor)
                .connectTimeout(CONNECT_PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    private static void resolve(String host) throws UnknownHostException {
        if (InetAddress.getAllByName(host).length == 0) {
            throw new UnknownHostException(host);
        }
    }

    private HttpRequest.Builder warmUp() throws IOException, InterruptedException {
        return request("version");
    }

    private HttpRequest.Builder request(String pathAndQuery) throws IOException, InterruptedException {
        ApiCredentials current = credentials();
        URI target = URI.create(current.server() + pathAndQuery);
        HttpRequest.Builder request = HttpRequest.newBuilder(target).header("User-Agent", "evenkeel-watcher");
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
