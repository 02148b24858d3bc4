package io.evenkeel.sandbox.real;

import io.evenkeel.sandbox.FolderLock;
import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import io.evenkeel.sandbox.TemporaryFolder;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kubernetes API on loopback: {@code etcd} and {@code kube-apiserver}, and with {@link Builder#full} also
 * controller manager, scheduler and three simulated nodes, so that workloads become ready and garbage is collected.
 *
 * <p>A test that needs it says so with JUnit's own annotation, and is then skipped where the programs are missing, with
 * one loud line on standard error: {@code @EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")}, or
 * {@code #fullAvailable}. No process outlives this JVM. Thread-safe: the methods that change something wait for each
 * other.
 */
public final class RealKubeApi implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RealKubeApi.class);
    private static final AtomicBoolean explained = new AtomicBoolean();
    private static final int MOST_ATTEMPTS = 5;

    private final Builder settings;
    private final Path folder;
    private final AuditLog audit;
    private int port;
    private Optional<Running> running = Optional.empty();

    private record Running(FolderLock lock, ControlPlane plane, KubeSecrets secrets) {}

    private RealKubeApi(Builder settings, Path folder) {
        this.settings = settings;
        this.folder = folder.toAbsolutePath();
        this.audit = new AuditLog(this.folder);
        this.port = settings.port;
    }

    /**
     * Only etcd and the API server, on a free port with a temporary data folder, unless told otherwise.
     *
     * @throws IllegalStateException if the programs are missing; the message says how to get them
     */
    public static Builder builder() {
        return switch (KubeBinaries.search(System.getenv())) {
            case KubeBinaries.Search.Found found -> new Builder(found.binaries());
            case KubeBinaries.Search.Missing missing -> throw new IllegalStateException(missing.reason());
        };
    }

    /** True if {@link #start} can work here; if not, says so once per JVM on standard error. */
    public static boolean available() {
        return assetsOrExplain().isPresent();
    }

    /** True if {@link Builder#full} can work here; if not, says so once per JVM on standard error. */
    public static boolean fullAvailable() {
        Optional<KubeBinaries> binaries = assetsOrExplain();
        if (binaries.isPresent() && !binaries.get().hasFull()) {
            explain(binaries.get().folder() + " lacks kube-controller-manager, kube-scheduler or kwok;"
                    + " sandbox/build-kube-binaries --full builds them");
        }
        return binaries.filter(KubeBinaries::hasFull).isPresent();
    }

    /** The programs; if they are missing, says so once per JVM on standard error. */
    public static Optional<KubeBinaries> assetsOrExplain() {
        return switch (KubeBinaries.search(System.getenv())) {
            case KubeBinaries.Search.Found found -> Optional.of(found.binaries());
            case KubeBinaries.Search.Missing missing -> {
                explain(missing.reason());
                yield Optional.empty();
            }
        };
    }

    /** Not a log line: a skipped test must be seen whatever the logging is set to. */
    private static void explain(String reason) {
        if (explained.compareAndSet(false, true)) {
            System.err.println("*** SKIPPED: tests against a real Kubernetes API server. " + reason);
        }
    }

    /**
     * Starts all processes and returns when the API is ready (about 4 s, with {@code full} about 6 s); does nothing if
     * they run.
     *
     * @return this, for {@code try (RealKubeApi api = RealKubeApi.builder().build().start())}
     * @throws PortTakenException if a fixed port is taken; nothing was started then
     * @throws IllegalStateException if another control plane runs on the data folder, or a process fails; the message
     *     holds the end of its log
     */
    public synchronized RealKubeApi start() {
        if (running.isPresent()) {
            return this;
        }
        FolderLock lock = FolderLock.take("Kubernetes", folder);
        try {
            KubeSecrets secrets = KubeSecrets.in(folder);
            running = Optional.of(new Running(lock, startPlane(secrets), secrets));
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
        log.atInfo()
                .addKeyValue("url", url())
                .addKeyValue("full", settings.full)
                .log("kube-apiserver started");
        return this;
    }

    /** Ports of child processes cannot be held for them, so a lost race is answered by other ports. */
    private ControlPlane startPlane(KubeSecrets secrets) {
        boolean chosenByCaller = port != 0;
        if (chosenByCaller && !LoopbackPorts.isFree(port)) {
            throw portTaken();
        }
        List<String> flags = new ArrayList<>(settings.flags);
        if (settings.audit) {
            flags.addAll(audit.flags());
        }
        KubeStart start = new KubeStart(settings.binaries, folder, secrets, flags, settings.full);
        for (int attempt = 1; ; attempt++) {
            int candidate = chosenByCaller ? port : LoopbackPorts.free();
            try {
                ControlPlane plane = start.on(candidate);
                port = candidate;
                return plane;
            } catch (KubeStart.FallenException e) {
                if (!e.portWasTaken() || attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private PortTakenException portTaken() {
        return new PortTakenException("Kubernetes API server", port, new BindException("Address already in use"));
    }

    /** Stops all processes in reverse order, within about two seconds; ports and data stay. */
    public synchronized void stop() {
        running.ifPresent(control -> {
            control.plane().stop();
            control.lock().close();
        });
        running = Optional.empty();
    }

    /** Stops and starts on the same port with the same data; watches end, and old positions may answer 410. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** As {@link #restart}, but without a chance to end anything in order: whatever is under way breaks off. */
    public synchronized void crash() {
        running.ifPresent(control -> control.plane().kill());
        restart();
    }

    /**
     * Lets the database forget its history, as it does by itself after some minutes: from then on a continue token or an
     * exact list of an older revision gets 410, unless the API server still has it in its cache.
     *
     * @throws IllegalStateException if nothing runs
     */
    public synchronized void compact() {
        running.orElseThrow(() -> new IllegalStateException("not started"))
                .plane()
                .compact();
    }

    /** Where everything is kept: data, secrets, certificates and logs. */
    public Path folder() {
        return folder;
    }

    /** Stops all processes and deletes the data folder if it was a temporary one. */
    @Override
    public synchronized void close() {
        stop();
        if (settings.dataFolder.isEmpty()) {
            TemporaryFolder.delete(folder);
        }
    }

    /** Where the API is: {@code https://127.0.0.1:<port>}; known from the first start on. */
    public synchronized String url() {
        return "https://127.0.0.1:" + port;
    }

    /** The bearer token of the administrator; the same over all starts on a data folder. */
    public String token() {
        return KubeSecrets.in(folder).token();
    }

    /** PEM file with the certificates that a client must trust; there from the first start on. */
    public Path certificate() {
        return KubeStart.certificate(folder);
    }

    /** A complete kubeconfig with the certificate and the administrator's token in it. */
    public String kubeconfig() {
        return new Kubeconfig(url(), token(), certificate()).text();
    }

    /**
     * What the API server was asked, by its own account; with {@link Builder#auditLog} only.
     *
     * @return each request once, over all starts on the data folder
     * @throws IllegalStateException without {@code auditLog}
     */
    public List<AuditEntry> requests() {
        if (!settings.audit) {
            throw new IllegalStateException("the audit log is off; build with auditLog()");
        }
        return audit.entries();
    }

    /** The processes that run now, newest first. */
    synchronized List<Long> processIds() {
        return running.map(control -> control.plane().processIds()).orElse(List.of());
    }

    /** How the control plane shall be; every setting has a default. */
    public static final class Builder {
        private final KubeBinaries binaries;
        private final List<String> flags = new ArrayList<>();
        private Optional<Path> dataFolder = Optional.empty();
        private int port;
        private boolean full;
        private boolean audit;

        private Builder(KubeBinaries binaries) {
            this.binaries = binaries;
        }

        /**
         * Where the API listens.
         *
         * @param port 0, the default, for a free one that stays over restarts
         */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /** Keeps the data here. The default is a temporary folder that {@link RealKubeApi#close} deletes. */
        public Builder dataFolder(Path folder) {
            this.dataFolder = Optional.of(folder);
            return this;
        }

        /**
         * Adds controller manager, scheduler and simulated nodes.
         *
         * @throws IllegalStateException if their programs are missing
         */
        public Builder full() {
            if (!binaries.hasFull()) {
                throw new IllegalStateException(binaries.folder()
                        + " lacks kube-controller-manager, kube-scheduler or kwok; sandbox/build-kube-binaries --full"
                        + " builds them");
            }
            this.full = true;
            return this;
        }

        /** Lets the API server write down each request, for {@link RealKubeApi#requests}. */
        public Builder auditLog() {
            this.audit = true;
            return this;
        }

        /** A further flag of kube-apiserver, such as {@code --etcd-compaction-interval=10s}. */
        public Builder apiServerFlag(String flag) {
            flags.add(flag);
            return this;
        }

        /** Nothing is started yet. */
        public RealKubeApi build() {
            return new RealKubeApi(this, dataFolder.orElseGet(() -> TemporaryFolder.create("kubernetes")));
        }
    }
}
