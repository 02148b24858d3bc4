package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what happens in a cluster after a write: every change is shown to every controller that it concerns, one at
 * a time, on one virtual thread. A controller that fails is logged and sees the next change.
 */
final class Controllers implements AutoCloseable {
    /** Reacts to a change; called on the thread of the controllers, outside the lock of the store. */
    interface Controller {
        void onChange(Change change);

        /**
         * False if {@link #onChange} would do nothing, so that it needs not be called. Asked on the writer's thread, so
         * it must be quick and must not look at what belongs to the thread of the controllers.
         */
        default boolean concerns(Change change) {
            return true;
        }
    }

    private record Task(long dueNanos, long order, Runnable work) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task that = (Task) other;
            int byTime = Long.compare(dueNanos - that.dueNanos, 0);
            return byTime != 0 ? byTime : Long.compare(order, that.order);
        }
    }

    private static final Logger log = LoggerFactory.getLogger(Controllers.class);

    private final DelayQueue<Task> tasks = new DelayQueue<>();
    private final java.util.concurrent.atomic.AtomicLong orders = new java.util.concurrent.atomic.AtomicLong();
    private List<Controller> controllers = List.of();
    private Optional<Thread> thread = Optional.empty();

    /** Shows all present objects to the controllers and then every change. */
    void start(Store store, List<Controller> running) {
        controllers = List.copyOf(running);
        store.exclusively(() -> {
            store.observe(this::enqueue);
            for (ObjectType type : store.types()) {
                for (Stored object : store.list(type, "").objects()) {
                    enqueue(new Change(type, Change.Kind.ADDED, Optional.empty(), object));
                }
            }
            return this;
        });
        thread = Optional.of(Thread.ofVirtual().name("kubesim-controllers").start(this::run));
    }

    private void enqueue(Change change) {
        List<Controller> concerned = controllers.stream()
                .filter(controller -> controller.concerns(change))
                .toList();
        if (!concerned.isEmpty()) {
            schedule(Duration.ZERO, () -> concerned.forEach(controller -> show(controller, change)));
        }
    }

    /** Runs {@code work} on the controllers' thread after a delay. */
    void schedule(Duration delay, Runnable work) {
        tasks.add(new Task(System.nanoTime() + delay.toNanos(), orders.incrementAndGet(), work));
    }

    private static void show(Controller controller, Change change) {
        try {
            controller.onChange(change);
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("type", change.type())
                    .addKeyValue("key", change.after().key())
                    .setCause(e)
                    .log("controller failed");
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Task task = tasks.take();
                try {
                    task.work().run();
                } catch (RuntimeException e) {
                    log.atWarn().setCause(e).log("controller failed");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the cluster closes
        }
    }

    @Override
    public void close() {
        thread.ifPresent(Thread::interrupt);
    }
}
