package io.evenkeel.sandbox.fault.stale;

import io.evenkeel.sandbox.fault.rule.KubeRequest;
import io.evenkeel.sandbox.fault.upstream.Header;
import io.evenkeel.sandbox.fault.upstream.UpstreamClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recordings of a proxy, one per collection and selection that clients asked for. Thread-safe. */
public final class StaleViews implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StaleViews.class);

    private final UpstreamClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Recording> recordings = new HashMap<>();

    /** Records through this client. */
    public StaleViews(UpstreamClient client) {
        this.client = client;
    }

    /**
     * The past of what a request reads; its recording starts now if there is none yet.
     *
     * @param headers of the request: its credentials are used for the recording
     * @return empty if the collection can't be listed
     */
    public Optional<StaleView> of(KubeRequest request, List<Header> headers) throws InterruptedException {
        String collection = collection(request);
        lock.lockInterruptibly();
        try {
            Recording known = recordings.get(collection);
            if (known == null) {
                known = Recording.start(client, collection, credentials(headers));
                recordings.put(collection, known);
            }
            return Optional.of(new StaleView(known));
        } catch (IOException e) {
            log.atWarn()
                    .addKeyValue("path", request.path())
                    .addKeyValue("cause", e.getMessage())
                    .log("no stale view: the collection can't be recorded");
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static String collection(KubeRequest request) {
        StringBuilder collection = new StringBuilder(request.path()).append('?');
        for (String selector : List.of("labelSelector", "fieldSelector")) {
            String value = request.query().getOrDefault(selector, "");
            if (!value.isEmpty()) {
                collection
                        .append(selector)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                        .append('&');
            }
        }
        return collection.toString();
    }

    private static List<Header> credentials(List<Header> headers) {
        List<Header> own = new ArrayList<>();
        own.add(new Header("Accept", "application/json"));
        headers.stream()
                .filter(header -> header.is("Authorization") || header.is("User-Agent"))
                .forEach(own::add);
        return own;
    }

    /** Ends all recordings. */
    @Override
    public void close() {
        lock.lock();
        try {
            recordings.values().forEach(Recording::close);
            recordings.clear();
        } finally {
            lock.unlock();
        }
    }
}
