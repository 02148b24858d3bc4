package io.evenkeel.watcher.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings when definitions of custom resources change, by a watch that shows their metadata only. It begins with the first who
 * waits for it. Where we may not watch them, and for servers that are registered in another way, waiting has its patience.
 * Thread-safe.
 */
final class DefinitionBell implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionBell.class);
    private static final String PATH = "apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final Duration SILENCE = Duration.ofSeconds(150);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(15);
    private static final int WATCH_SECONDS = 600;

    /** Discovery is some seconds behind the definitions that it is made of. */
    private static final Duration RINGS_ON = Duration.ofSeconds(5);

    private static final Duration BETWEEN_RINGS = Duration.ofSeconds(1);

    private final ClusterConnection connection;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private Optional<Thread> thread = Optional.empty();
    private Instant lastFrame = Instant.MIN;
    private long rings;
    private boolean closed;

    DefinitionBell(ClusterConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /** Waits for the bell, not longer than {@code patience}. */
    void await(Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (thread.isEmpty() && !closed) {
                thread = Optional.of(Thread.ofVirtual()
                        .name("definitions-" + connection.name())
                        .start(this::follow));
            }
            boolean ringsOn = lastFrame.plus(RINGS_ON).isAfter(clock.instant());
            long before = rings;
            long nanos = (ringsOn && BETWEEN_RINGS.compareTo(patience) < 0 ? BETWEEN_RINGS : patience).toNanos();
            while (rings == before && !closed && nanos > 0) {
                nanos = rung.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            thread.ifPresent(Thread::interrupt);
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void ring() {
        lock.lock();
        try {
            lastFrame = clock.instant();
            rings++;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void follow() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    if (!watch()) {
                        Thread.sleep(PAUSE_AFTER_FAILURE);
                    }
                } catch (IOException e) {
                    LOG.atDebug()
                            .addKeyValue("cluster", connection.name())
                            .addKeyValue("cause", e.toString())
                            .log("definitions cannot be watched at the moment");
                    Thread.sleep(PAUSE_AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the way to end
        }
    }

    /** False if the server refused. What came between two watches is learnt by ringing at each begin. */
    private boolean watch() throws IOException, InterruptedException {
        String version;
        try (Answer answer = connection.open("discover", PATH + "?limit=1", SILENCE, Map.of("Accept", METADATA_LIST))) {
            if (answer.status() != 200) {
                return false;
            }
            version = answer.small().text("metadata", "resourceVersion");
        }
        ring();
        String path = PATH + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=" + WATCH_SECONDS + "&resourceVersion="
                + version;
        try (Answer answer = connection.open("discover", path, SILENCE, Map.of("Accept", METADATA))) {
            if (answer.status() != 200) {
                return false;
            }
            try {
                for (Optional<byte[]> chunk = answer.body().next();
                        chunk.isPresent();
                        chunk = answer.body().next()) {
                    if (!isBookmarks(chunk.get())) {
                        ring();
                    }
                }
                return true;
            } catch (SilentServerException e) {
                answer.suspectConnection();
                throw e;
            }
        }
    }

    private static boolean isBookmarks(byte[] chunk) {
        return new String(chunk, StandardCharsets.UTF_8)
                .lines()
                .allMatch(line -> line.isBlank() || line.startsWith("{\"type\":\"BOOKMARK\""));
    }
}
