package io.evenkeel.sandbox.kube;

import io.evenkeel.sandbox.FolderLock;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import io.evenkeel.sandbox.kube.server.ApiHandler;
import io.evenkeel.sandbox.kube.server.Certificates;
import io.evenkeel.sandbox.kube.server.SimServer;
import io.evenkeel.sandbox.kube.store.Packing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * A simulated Kubernetes API: one HTTPS server on loopback that plays one cluster, or many under
 * {@code /clusters/<name>}. Does what controllers, watchers and everyday kubectl rely on, and refuses the rest with
 * 501. Thread-safe.
 *
 * <p>With a data folder all objects, the resourceVersion, the history window, the certificates and the token survive a
 * restart of the process, so that watches go on where they were.
 */
public final class KubeSim implements AutoCloseable {
    private static final int TICK_MILLIS = 250;
    private static final SecureRandom SECRETS = new SecureRandom();

    private final Optional<FolderLock> lock;
    private final Certificates certificates;
    private final String token;
    private final Access access;
    private final Map<String, Cluster> clusters;
    private final boolean fleet;
    private final SimServer server;
    private final ScheduledExecutorService ticker;
    private final Future<?> ticking;
    private final ExecutorService streams;

    private KubeSim(Builder builder) throws IOException {
        Optional<Path> folder = builder.folder;
        if (folder.isPresent()) {
            Files.createDirectories(folder.get());
        }
        lock = folder.map(path -> FolderLock.take("simulated Kubernetes API", path));
        certificates = Certificates.load(folder);
        token = loadToken(folder);
        access = new Access(builder.clock);
        access.grantAll(token, "admin");
        fleet = !builder.names.isEmpty();
        clusters = new LinkedHashMap<>();
        streams = Executors.newVirtualThreadPerTaskExecutor();
        ticker = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("kubesim-tick").factory());
        try {
            for (String name : fleet ? builder.names : List.of("kubesim")) {
                clusters.put(
                        name, new Cluster(builder.settings(folder.map(path -> fleet ? path.resolve(name) : path))));
            }
            ApiHandler handler = new ApiHandler(this::find, (cluster, given) -> access.user(given), streams);
            server = SimServer.start(builder.port, certificates, handler);
        } catch (IOException | RuntimeException e) {
            clusters.values().forEach(Cluster::close);
            streams.shutdownNow();
            ticker.shutdownNow();
            lock.ifPresent(FolderLock::close);
            throw e;
        }
        ticking = ticker.scheduleWithFixedDelay(
                () -> clusters.values().forEach(Cluster::tick), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** How a simulator is to be set up; every setting has a default. */
    public static final class Builder {
        private int port;
        private Optional<Path> folder = Optional.empty();
        private Clock clock = Clock.systemUTC();
        private RandomGenerator random = new SecureRandom();
        private boolean workloads;
        private Duration podDelay = Duration.ZERO;
        private int historyWindow = 20_000;
        private List<String> names = List.of();
        private final Packing packing = new Packing();

        private Builder() {}

        /** The port to listen on; 0, the default, takes a free one. */
        public Builder port(int wanted) {
            port = wanted;
            return this;
        }

        /** Keeps everything in this folder; without it all is in memory. */
        public Builder dataFolder(Path path) {
            folder = Optional.of(path);
            return this;
        }

        /** The source of the times in objects. */
        public Builder clock(Clock source) {
            clock = source;
            return this;
        }

        /**
         * The source of uids and generated names; the same seed gives the same ones. Of a source that can be split each
         * cluster gets its own, so that they don't shift one another's.
         */
        public Builder random(RandomGenerator source) {
            random = source;
            return this;
        }

        /** Whether Deployments and the like get pods that become ready; off by default. */
        public Builder simulateWorkloads(boolean on) {
            workloads = on;
            return this;
        }

        /** How long a simulated pod takes from its node to running; zero by default. */
        public Builder podDelay(Duration delay) {
            podDelay = delay;
            return this;
        }

        /** How many changes of a cluster can still be watched, 1 or more; 20,000 by default. */
        public Builder historyWindow(int changes) {
            historyWindow = changes;
            return this;
        }

        /** Plays several clusters, each under {@code /clusters/<name>}. */
        public Builder clusters(List<String> clusterNames) {
            names = List.copyOf(clusterNames);
            return this;
        }

        /**
         * Starts listening and serving.
         *
         * @throws io.evenkeel.sandbox.PortTakenException if the port is taken; its cause is a
         *     {@link java.net.BindException}
         * @throws IOException if the folder cannot be used
         */
        public KubeSim start() throws IOException {
            return new KubeSim(this);
        }

        private Cluster.Settings settings(Optional<Path> path) {
            RandomGenerator own =
                    random instanceof RandomGenerator.SplittableGenerator source ? source.split() : random;
            return new Cluster.Settings(path, historyWindow, workloads, podDelay, clock, own, packing);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    private static String loadToken(Optional<Path> folder) throws IOException {
        byte[] random = new byte[16];
        SECRETS.nextBytes(random);
        String fresh = HexFormat.of().formatHex(random);
        if (folder.isEmpty()) {
            return fresh;
        }
        Path file = folder.get().resolve("token");
        if (!Files.exists(file)) {
            Files.writeString(file, fresh, StandardCharsets.UTF_8);
        }
        return Files.readString(file, StandardCharsets.UTF_8).trim();
    }

    private Optional<ApiHandler.Target> find(List<String> path) {
        if (!fleet) {
            return Optional.of(
                    new ApiHandler.Target(clusters.values().iterator().next(), path));
        }
        if (path.size() < 2 || !path.getFirst().equals("clusters")) {
            return Optional.empty();
        }
        return Optional.ofNullable(clusters.get(path.get(1)))
                .map(cluster -> new ApiHandler.Target(cluster, path.subList(2, path.size())));
    }

    public int port() {
        return server.port();
    }

    /**
     * One of the clusters, to be used without HTTP.
     *
     * @throws IllegalArgumentException if there is no such cluster
     */
    public Cluster cluster(String name) {
        Cluster asked = clusters.get(name);
        if (asked == null) {
            throw new IllegalArgumentException("no cluster " + name);
        }
        return asked;
    }

    /** The address of the server, for example {@code https://127.0.0.1:6443}; of a single cluster, too. */
    public String baseUrl() {
        return "https://127.0.0.1:" + port();
    }

    /** The address of one cluster. */
    public String baseUrl(String cluster) {
        return fleet ? baseUrl() + "/clusters/" + cluster : baseUrl();
    }

    /** The bearer token that may do everything. */
    public String token() {
        return token;
    }

    /** Who may do what; at first only the administrator's token is known. */
    public Access access() {
        return access;
    }

    /**
     * Lets reads of a resource fail with 500 as they do while its conversion webhook is down, or work again.
     *
     * @param resource for example {@code widgets.example.com}
     */
    public void failReads(String resource, boolean failing) {
        clusters.values().forEach(cluster -> cluster.failReads(resource, failing));
    }

    /** The certificate, in PEM, that clients must trust. */
    public String certificateAuthority() {
        return certificates.authorityPem();
    }

    /** A kubeconfig with one context per cluster; the first is the current one. */
    public String kubeconfig() {
        return Kubeconfig.of(this, List.copyOf(clusters.keySet()));
    }

    /**
     * A kubeconfig for one of the clusters.
     *
     * @throws IllegalArgumentException if there is no such cluster
     */
    public String kubeconfig(String cluster) {
        if (!clusters.containsKey(cluster)) {
            throw new IllegalArgumentException("no cluster " + cluster);
        }
        return Kubeconfig.of(this, List.of(cluster));
    }

    /** The newest resourceVersion of a single cluster, or of the first one. */
    public long resourceVersion() {
        return clusters.values().iterator().next().resourceVersion();
    }

    /** Forgets the history of all clusters: older watches and continue tokens get 410. */
    public void compact() {
        clusters.values().forEach(Cluster::compact);
    }

    /** Watches that are open now, over all clusters. */
    public int openWatches() {
        return clusters.values().stream().mapToInt(Cluster::openWatches).sum();
    }

    /** Ends all watches, stops listening, closes the data folder. */
    @Override
    public void close() {
        ticking.cancel(false);
        ticker.shutdownNow();
        clusters.values().forEach(Cluster::close);
        server.close();
        streams.shutdownNow();
        lock.ifPresent(FolderLock::close);
    }
}
