package io.evenkeel.watcher.connection;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP clients of one cluster. The JDK's client keeps one HTTP/2 connection per host, and a server takes about 100
 * streams on each, so another client is opened when one is full. A cold client that gets many requests at once opens a
 * connection for each; so the first request on each client is sent alone. Thread-safe.
 */
final class ClientPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientPool.class);
    private static final int STREAMS_PER_CLIENT = 90;
    private static final Duration WARM_UP_PATIENCE = Duration.ofSeconds(10);
    private static final Duration SIGN_OF_LIFE_PATIENCE = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Pooled> clients = new ArrayList<>();
    private final Opening<HttpClient> factory;
    private final Opening<HttpRequest.Builder> warmUp;
    private boolean closed;

    /**
     * @param factory opens a client
     * @param warmUp a cheap request
     */
    ClientPool(Opening<HttpClient> factory, Opening<HttpRequest.Builder> warmUp) {
        this.factory = factory;
        this.warmUp = warmUp;
    }

    /**
     * A client with a free stream.
     *
     * @throws IOException if a new client was needed and the server cannot be reached
     */
    Lease lease() throws IOException, InterruptedException {
        // Held during the warm-up of a new client on purpose: the others shall wait for it and not open their own.
        lock.lockInterruptibly();
        try {
            if (closed) {
                throw new IOException("the connection to the cluster is closed");
            }
            for (Pooled pooled : clients) {
                if (pooled.streams < STREAMS_PER_CLIENT) {
                    return new Lease(pooled);
                }
            }
            HttpClient client = factory.open();
            try {
                touch(client, WARM_UP_PATIENCE);
            } catch (IOException | InterruptedException | RuntimeException e) {
                client.shutdownNow();
                throw e;
            }
            var pooled = new Pooled(client);
            clients.add(pooled);
            return new Lease(pooled);
        } finally {
            lock.unlock();
        }
    }

    /** Gives up all clients, for example because credentials have changed; streams that are open break. */
    void renew() {
        List<Pooled> former = takeAll(false);
        former.forEach(pooled -> pooled.client.shutdownNow());
    }

    @Override
    public void close() {
        takeAll(true).forEach(pooled -> pooled.client.shutdownNow());
    }

    private List<Pooled> takeAll(boolean last) {
        lock.lock();
        try {
            closed |= last;
            List<Pooled> former = List.copyOf(clients);
            clients.clear();
            return former;
        } finally {
            lock.unlock();
        }
    }

    private void touch(HttpClient client, Duration patience) throws IOException, InterruptedException {
        client.send(warmUp.open().timeout(patience).build(), HttpResponse.BodyHandlers.discarding());
    }

    private void retire(Pooled pooled) {
        int streams;
        lock.lock();
        try {
            if (!clients.remove(pooled)) {
                return;
            }
            streams = pooled.streams;
        } finally {
            lock.unlock();
        }
        LOG.atWarn().addKeyValue("streams", streams).log("connection gives no sign of life; opening another");
        pooled.client.shutdownNow(); // close() would wait for streams that never end
    }

    /** Makes something that needs credentials. */
    @FunctionalInterface
    interface Opening<T> {
        T open() throws IOException, InterruptedException;
    }

    private static final class Pooled {
        private final HttpClient client;
        private int streams;

        Pooled(HttpClient client) {
            this.client = client;
        }
    }

    /** One stream of a client; taken under the lock. */
    final class Lease implements AutoCloseable {
        private final Pooled pooled;
        private final AtomicBoolean released = new AtomicBoolean();

        private Lease(Pooled pooled) {
            this.pooled = pooled;
            count(1);
        }

        HttpClient client() {
            return pooled.client;
        }

        /** Retires the client unless it answers a cheap request. */
        void suspect() throws InterruptedException {
            try {
                touch(pooled.client, SIGN_OF_LIFE_PATIENCE);
            } catch (IOException e) {
                retire(pooled);
            }
        }

        /** Lets no further request use the client, for example because its certificates are old; what is open goes on. */
        void abandon() {
            lock.lock();
            try {
                clients.remove(pooled);
            } finally {
                lock.unlock();
            }
            pooled.client.shutdown();
        }

        @Override
        public void close() {
            if (released.compareAndSet(false, true)) {
                count(-1);
            }
        }

        private void count(int change) {
            lock.lock();
            try {
                pooled.streams += change;
            } finally {
                lock.unlock();
            }
        }
    }
}
