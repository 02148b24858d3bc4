package io.evenkeel.worker;

import io.evenkeel.runtime.cluster.ApiCredentials;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.worker.attempt.ClusterClosedException;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.attempt.RequestPace;
import io.evenkeel.worker.object.ObjectJson;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of one cluster, and a breaker: after {@value #FAILURES} requests in a row that nobody answered, the cluster counts
 * as unreachable, and a thread of its own probes it, each time over a new connection because one to a dead peer would be
 * used again and again. Thread-safe.
 */
final class ClusterClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClusterClient.class);
    private static final int FAILURES = 3;

    private static final Duration FIRST_PROBE = Duration.ofMillis(500);
    private static final Duration LONGEST_BETWEEN_PROBES = Duration.ofSeconds(15);

    private final ClusterDefinition definition;
    private final Runnable opened;
    private final RequestPace pace;
    private final ReentrantLock loading = new ReentrantLock();
    private volatile Optional<Connected> connected = Optional.empty(); // written under loading
    private Optional<String> unreachable = Optional.empty(); // guarded by this
    private Optional<Thread> prober = Optional.empty(); // guarded by this
    private int failures; // guarded by this
    private boolean closed; // guarded by this

    /**
     * @param pace how fast requests may go
     * @param opened called, on any thread, when the cluster can be reached again
     */
    ClusterClient(ClusterDefinition definition, RequestPace pace, Runnable opened) {
        this.definition = definition;
        this.pace = pace;
        this.opened = opened;
    }

    private record Connected(KubernetesClient client, KubernetesApi api) {}

    ClusterDefinition definition() {
        return definition;
    }

    /** @throws StartupException if the definition cannot be used */
    void prove() {
        ApiCredentials.proven(definition);
    }

    /** @throws ClusterClosedException if the definition cannot be used now */
    KubernetesApi api() throws InterruptedException {
        Optional<Connected> ready = connected;
        if (ready.isPresent()) {
            return ready.get().api();
        }
        loading.lockInterruptibly();
        try {
            if (connected.isEmpty()) {
                connected = Optional.of(connect());
            }
            return connected.get().api();
        } catch (StartupException e) {
            broke(e.getMessage());
            throw new ClusterClosedException(e.getMessage());
        } finally {
            loading.unlock();
        }
    }

    synchronized Optional<String> closedBecause() {
        return closed ? Optional.of("cluster " + definition.name() + " was removed or has changed") : unreachable;
    }

    private Connected connect() {
        ApiCredentials credentials = ApiCredentials.proven(definition);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(credentials.config())
                .withKubernetesSerialization(ObjectJson.SERIALIZATION)
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withHttpClientBuilderConsumer(builder -> {
                    if (credentials.isEncrypted()) {
                        builder.sslContext(credentials.presented(), credentials.trusted());
                    }
                })
                .build();
        return new Connected(
                client,
                new KubernetesApi(
                        client,
                        new KubernetesApi.Reach() {
                            @Override
                            public void answered() {
                                ClusterClient.this.answered();
                            }

                            @Override
                            public void broke(String cause) {
                                ClusterClient.this.broke(cause);
                            }

                            @Override
                            public Optional<String> closedBecause() {
                                return ClusterClient.this.closedBecause();
                            }
                        },
                        pace));
    }

    /** An answer over a former connection says nothing once the cluster counts as unreachable: the probe decides. */
    private synchronized void answered() {
        failures = 0;
    }

    private synchronized void broke(String cause) {
        failures++;
        if (failures < FAILURES || unreachable.isPresent() || closed) {
            return;
        }
        unreachable = Optional.of("cluster " + definition.name() + " cannot be reached: " + cause);
        prober = Optional.of(
                Thread.ofVirtual().name("probe-" + definition.name()).start(this::probe));
        log.atWarn()
                .addKeyValue("cluster", definition.name())
                .addKeyValue("cause", cause)
                .log("cluster is unreachable; its objects wait");
    }

    private void probe() {
        try {
            Duration pause = FIRST_PROBE;
            while (true) {
                Thread.sleep(pause);
                if (probeOnce()) {
                    return;
                }
                pause = pause.multipliedBy(2);
                pause = pause.compareTo(LONGEST_BETWEEN_PROBES) < 0 ? pause : LONGEST_BETWEEN_PROBES;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the way to end
        }
    }

    private boolean probeOnce() throws InterruptedException {
        Connected fresh;
        try {
            fresh = connect();
        } catch (StartupException e) {
            return false; // told when the cluster became unreachable
        }
        try {
            fresh.api().probe();
        } catch (KubernetesClientException e) {
            fresh.client().close();
            return false;
        } catch (InterruptedException e) {
            fresh.client().close();
            throw e;
        }
        take(fresh);
        return true;
    }

    private void take(Connected fresh) {
        Optional<Connected> former;
        loading.lock();
        try {
            former = connected;
            connected = Optional.of(fresh);
        } finally {
            loading.unlock();
        }
        former.ifPresent(old -> old.client().close());
        boolean late;
        synchronized (this) {
            unreachable = Optional.empty();
            prober = Optional.empty();
            failures = 0;
            late = closed;
        }
        if (late) {
            fresh.client().close();
            return;
        }
        log.atInfo().addKeyValue("cluster", definition.name()).log("cluster is reachable again");
        opened.run();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            prober.ifPresent(Thread::interrupt);
        }
        connected.ifPresent(current -> current.client().close());
    }
}
