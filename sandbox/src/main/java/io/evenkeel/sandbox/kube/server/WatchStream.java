package io.evenkeel.sandbox.kube.server;

import io.evenkeel.sandbox.kube.cluster.Watch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * Writes the frames of a watch to its client without holding a thread: what is ready goes out in one write, and the
 * next write starts when the client's window took the last one.
 */
final class WatchStream extends IteratingCallback {
    private static final int LARGEST_WRITE = 64 * 1024;

    private final Watch watch;
    private final Response response;
    private final Callback callback;
    private final Executor executor;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private boolean started;

    private WatchStream(Watch watch, Response response, Callback callback, Executor executor) {
        this.watch = watch;
        this.response = response;
        this.callback = callback;
        this.executor = executor;
    }

    static void start(Watch watch, Request request, Response response, Callback callback, Executor executor) {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        WatchStream stream = new WatchStream(watch, response, callback, executor);
        request.addFailureListener(failure -> watch.close());
        watch.onReady(stream::wakeUp);
    }

    private void wakeUp() {
        if (scheduled.compareAndSet(false, true)) {
            executor.execute(() -> {
                scheduled.set(false);
                iterate();
            });
        }
    }

    @Override
    protected Action process() {
        Optional<byte[]> frame = watch.poll();
        if (frame.isEmpty()) {
            if (!started) {
                started = true;
                response.write(false, ByteBuffer.allocate(0), this); // the client learns at once that the watch stands
                return Action.SCHEDULED;
            }
            return watch.isFinished() ? Action.SUCCEEDED : Action.IDLE;
        }
        started = true;
        Optional<byte[]> second = watch.poll();
        if (second.isEmpty()) {
            response.write(false, ByteBuffer.wrap(frame.get()), this); // the usual case goes without a copy
            return Action.SCHEDULED;
        }
        ByteArrayOutputStream batch = new ByteArrayOutputStream(2 * (frame.get().length + second.get().length));
        batch.writeBytes(frame.get());
        while (second.isPresent()) {
            batch.writeBytes(second.get());
            second = batch.size() < LARGEST_WRITE ? watch.poll() : Optional.empty();
        }
        response.write(false, ByteBuffer.wrap(batch.toByteArray()), this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        watch.close();
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        watch.close();
        callback.failed(cause);
    }
}
