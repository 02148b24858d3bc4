package io.evenkeel.cli.bench.soak;

import io.evenkeel.watcher.Watcher;
import java.util.Optional;

/** A watcher in this process. Not thread-safe. */
final class InThisProcess implements WatcherRun {
    private final WatcherSpec spec;
    private Optional<Watcher> running = Optional.empty();

    InThisProcess(WatcherSpec spec) {
        this.spec = spec;
    }

    @Override
    public void start() {
        running = Optional.of(spec.start());
    }

    @Override
    public void end() {
        running.ifPresent(Watcher::close);
        running = Optional.empty();
    }

    @Override
    public void close() {
        end();
    }
}
