package io.evenkeel.cli.dev;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Does independent things at the same time. */
final class Together {
    private Together() {}

    /** Runs all and returns when all have ended; the first failure, in the order given, is thrown then. */
    static void run(Runnable... actions) throws InterruptedException {
        List<FutureTask<Void>> tasks = List.of(actions).stream()
                .map(action -> {
                    var task = new FutureTask<Void>(() -> {
                        action.run();
                        return null;
                    });
                    Thread.ofPlatform().daemon().name("start").start(task);
                    return task;
                })
                .toList();
        RuntimeException failure = null;
        for (FutureTask<Void> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                if (failure == null) {
                    failure = unwrap(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException unwrap(ExecutionException e) {
        return e.getCause() instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }
}
