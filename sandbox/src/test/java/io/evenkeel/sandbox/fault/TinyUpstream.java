package io.evenkeel.sandbox.fault;

import io.evenkeel.sandbox.fault.front.Front;
import io.evenkeel.sandbox.fault.front.LoopbackCertificate;
import io.evenkeel.sandbox.fault.rule.KubeRequest;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.upstream.Upstream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A server of one collection of config maps: lists, watches, takes writes, and remembers what it was asked. Whatever is
 * not below {@code /api} is an echo.
 */
final class TinyUpstream extends Handler.Abstract implements AutoCloseable {
    static final String COLLECTION = "/api/v1/namespaces/shop/configmaps";

    private final LoopbackCertificate certificate = LoopbackCertificate.create(Instant.now());
    private final Front front;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> frames = new CopyOnWriteArrayList<>();
    private final AtomicInteger openWatches = new AtomicInteger();
    private final AtomicInteger flooded = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    TinyUpstream() {
        this.front = Front.start(0, certificate, this);
    }

    Upstream address() {
        return Upstream.at(URI.create("https://127.0.0.1:" + front.port())).trusting(certificate.pem());
    }

    /** Method and path of each, in the order in which they came. */
    List<String> requests() {
        return requests;
    }

    int openWatches() {
        return openWatches.get();
    }

    /** Bytes that a flood could hand over. */
    int floodedBytes() {
        return flooded.get();
    }

    /** Adds one object, named after its resourceVersion. */
    void change() {
        lock.lock();
        try {
            int revision = frames.size() + 1;
            frames.add("{\"type\":\"ADDED\",\"object\":" + object(revision) + "}\n");
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void change(int times) {
        for (int i = 0; i < times; i++) {
            change();
        }
    }

    private static String object(int revision) {
        return "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"m" + revision
                + "\",\"namespace\":\"shop\",\"resourceVersion\":\"" + revision + "\"}}";
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                answer(request, response);
                Content.Sink.write(response, true, ByteBuffer.allocate(0));
                callback.succeeded();
            } catch (IOException | InterruptedException | RuntimeException e) {
                callback.failed(e);
            }
        });
        request.addFailureListener(failure -> thread.interrupt());
        thread.start();
        return true;
    }

    private void answer(Request request, Response response) throws IOException, InterruptedException {
        String path = request.getHttpURI().getPathQuery();
        KubeRequest kube = KubeRequest.of("", request.getMethod(), path);
        byte[] body = Request.asInputStream(request).readAllBytes();
        requests.add(request.getMethod() + " " + path);
        response.getHeaders().put("Content-Type", "application/json");
        response.getHeaders().add("X-Two", "one");
        response.getHeaders().add("X-Two", "two");
        if (path.startsWith("/flood")) {
            flood(response);
        } else if (kube.verb() == Verb.OTHER) {
            response.setStatus(request.getMethod().equals("TRACE") ? 405 : 203);
            request.getHeaders().stream()
                    .filter(field ->
                            field.getName().toLowerCase(java.util.Locale.ROOT).startsWith("x-"))
                    .forEach(field -> response.getHeaders().add("Echo-" + field.getName(), field.getValue()));
            write(response, body.length == 0 ? path.getBytes(StandardCharsets.UTF_8) : body);
        } else if (kube.verb() == Verb.WATCH) {
            watch(response, Integer.parseInt(kube.query().getOrDefault("resourceVersion", "0")));
        } else if (kube.verb() == Verb.LIST) {
            byte[] list = list().getBytes(StandardCharsets.UTF_8);
            response.getHeaders().put("Content-Length", list.length);
            write(response, list);
        } else {
            change();
            write(response, object(frames.size()).getBytes(StandardCharsets.UTF_8));
        }
    }

    private String list() {
        int count = frames.size();
        StringBuilder list = new StringBuilder("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{"
                + "\"resourceVersion\":\"" + count + "\"},\"items\":[");
        for (int revision = 1; revision <= count; revision++) {
            list.append(revision == 1 ? "" : ",").append(object(revision));
        }
        return list + "]}";
    }

    private void watch(Response response, int after) throws IOException, InterruptedException {
        openWatches.incrementAndGet();
        try {
            write(response, new byte[0]);
            for (int sent = after; ; sent++) {
                lock.lockInterruptibly();
                try {
                    while (frames.size() <= sent) {
                        // a peer that has left shows only when it is written to
                        if (!changed.await(100, TimeUnit.MILLISECONDS)
                                && !response.getRequest()
                                        .getConnectionMetaData()
                                        .getConnection()
                                        .getEndPoint()
                                        .isOpen()) {
                            return;
                        }
                    }
                } finally {
                    lock.unlock();
                }
                write(response, frames.get(sent).getBytes(StandardCharsets.UTF_8));
            }
        } finally {
            openWatches.decrementAndGet();
        }
    }

    private void flood(Response response) throws IOException {
        byte[] piece = new byte[8 * 1024];
        while (true) {
            write(response, piece);
            flooded.addAndGet(piece.length);
        }
    }

    private static void write(Response response, byte[] bytes) throws IOException {
        Content.Sink.write(response, false, ByteBuffer.wrap(bytes));
    }

    @Override
    public void close() {
        front.close();
    }
}
