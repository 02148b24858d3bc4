package io.evenkeel.watcher.ownership;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.state.OrderedStore;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.ShardInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The shards that are followed on one partition, from one restore of its index to the next, each on a virtual thread. Shards
 * come and go: one that ended leaves its index behind and goes on from there should it return. Thread-safe.
 */
final class RunningShards {
    /** Each page may hold what its connection's flow control lets through before it is read: about 0.7 MiB. */
    private static final int PAGES_AT_ONCE = 8;

    private final ShardFactory factory;
    private final OrderedStore store;
    private final Map<ShardKey, Checkpoint> restored;
    private final Backlog<ShardInput.Addressed> backlog;
    private final Semaphore pages = new Semaphore(PAGES_AT_ONCE, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ShardKey, Followed> followed = new HashMap<>();
    private final Map<ShardKey, Thread> leaving = new HashMap<>();
    private final Map<ShardKey, ShardIndex> indexes = new HashMap<>();
    private boolean ended;

    /** @param restored checkpoints of the partition, also of shards that nobody follows */
    RunningShards(
            ShardFactory factory,
            OrderedStore store,
            Map<ShardKey, Checkpoint> restored,
            Backlog<ShardInput.Addressed> backlog) {
        this.factory = factory;
        this.store = store;
        this.restored = Map.copyOf(restored);
        this.backlog = backlog;
    }

    private record Followed(ShardPlan plan, Thread thread) {}

    /** Ends and begins watches until exactly the wanted shards are followed; waits for none of them. */
    void adjust(Map<ShardKey, ShardPlan> wanted) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            leaving.values().removeIf(thread -> !thread.isAlive());
            followed.entrySet().removeIf(entry -> {
                boolean stays = entry.getValue().plan().equals(wanted.get(entry.getKey()));
                if (!stays) {
                    entry.getValue().thread().interrupt();
                    leaving.put(entry.getKey(), entry.getValue().thread());
                }
                return !stays;
            });
            wanted.forEach((shard, plan) ->
                    followed.computeIfAbsent(shard, absent -> new Followed(plan, begin(shard, plan.selection()))));
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches and waits for them, for each not longer than {@code patience}. */
    void end(Duration patience) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        lock.lock();
        try {
            ended = true;
            followed.values().forEach(running -> threads.add(running.thread()));
            threads.addAll(leaving.values());
        } finally {
            lock.unlock();
        }
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join(patience);
        }
    }

    private Thread begin(ShardKey shard, Selection selection) {
        boolean again = indexes.containsKey(shard);
        Optional<Checkpoint> checkpoint = Optional.ofNullable(restored.get(shard));
        ShardIndex index = indexes.computeIfAbsent(shard, absent -> new ShardIndex(shard, store, checkpoint));
        Optional<Thread> former = Optional.ofNullable(leaving.get(shard));
        return Thread.ofVirtual().name("watch-" + shard).start(() -> {
            try {
                Optional<Checkpoint> from = again ? standing(index, former) : checkpoint;
                factory.watch(shard, selection, index, from, backlog, pages).run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the way to end
            }
        });
    }

    /** Where a shard stands that was followed before: known once all that its former watch handed on is folded. */
    private Optional<Checkpoint> standing(ShardIndex index, Optional<Thread> former) throws InterruptedException {
        if (former.isPresent()) {
            former.get().join();
        }
        var answer = new CompletableFuture<Optional<Checkpoint>>();
        if (!backlog.put(new ShardInput.Addressed(index, new ShardInput.Joined(answer)))) {
            throw new InterruptedException("the partition is given up");
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("nobody fails this future", e);
        }
    }
}
