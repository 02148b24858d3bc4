package io.evenkeel.watcher.connection;

import io.evenkeel.watcher.frame.Chunks;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as a stream that its reader pulls. The client's threads only put down what came, and are asked for
 * more when the reader has taken it: an unread stream fills its own flow-control window and disturbs no other.
 */
final class StreamingBody implements HttpResponse.BodySubscriber<StreamingBody>, Chunks {
    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
    private final ArrayDeque<ByteBuffer> taken = new ArrayDeque<>();
    private final Duration patience;
    private final Counter received;
    private volatile boolean cancelled;

    /**
     * @param patience longest silence between two pieces
     * @param received counts the bytes that are read
     */
    StreamingBody(Duration patience, Counter received) {
        this.patience = patience;
        this.received = received;
    }

    @Override
    public CompletionStage<StreamingBody> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription added) {
        subscription.set(added);
        if (cancelled) {
            added.cancel();
        } else {
            added.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        signals.add(new Signal.Data(buffers));
    }

    @Override
    public void onError(Throwable cause) {
        signals.add(new Signal.Broken(cause));
    }

    @Override
    public void onComplete() {
        signals.add(new Signal.End());
    }

    @Override
    public Optional<byte[]> next() throws IOException, InterruptedException {
        while (true) {
            ByteBuffer buffer = taken.poll();
            if (buffer != null) {
                if (buffer.hasRemaining()) {
                    byte[] bytes = new byte[buffer.remaining()];
                    buffer.get(bytes);
                    received.increment(bytes.length);
                    return Optional.of(bytes);
                }
                continue;
            }
            Signal signal = signals.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (signal == null) {
                throw new SilentServerException(patience);
            }
            switch (signal) {
                case Signal.Data(List<ByteBuffer> buffers) -> {
                    taken.addAll(buffers);
                    requestMore();
                }
                case Signal.Broken(Throwable cause) -> {
                    signals.add(signal);
                    throw new IOException("the connection broke: " + cause.getMessage(), cause);
                }
                case Signal.End end -> {
                    signals.add(signal);
                    return Optional.empty();
                }
            }
        }
    }

    /** Gives the stream up; a reader that waits gets an exception. */
    void cancel() {
        cancelled = true;
        Flow.Subscription current = subscription.get();
        if (current != null) {
            current.cancel();
        }
        signals.add(new Signal.Broken(new IOException("closed by us")));
    }

    private void requestMore() {
        Flow.Subscription current = subscription.get();
        if (current != null) {
            current.request(1);
        }
    }

    /** What the client's threads put down. */
    private sealed interface Signal {
        record Data(List<ByteBuffer> buffers) implements Signal {}

        record Broken(Throwable cause) implements Signal {}

        record End() implements Signal {}
    }
}
