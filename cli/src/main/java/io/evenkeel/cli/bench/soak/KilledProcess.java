package io.evenkeel.cli.bench.soak;

import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import java.util.Optional;

/** A watcher in a process of its own, ended by SIGKILL. Not thread-safe. */
final class KilledProcess implements WatcherRun {
    private final WatcherSpec spec;
    private Optional<ChildProcess> running = Optional.empty();

    KilledProcess(WatcherSpec spec) {
        this.spec = spec;
    }

    @Override
    public void start() {
        running = Optional.of(ChildJvm.of(WatcherMain.class)
                .arguments(
                        spec.bootstrapServers(),
                        spec.prefix(),
                        spec.kubeconfigs().toString(),
                        String.join(",", spec.resources()))
                .jvmArguments("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .output(spec.kubeconfigs().resolveSibling("watcher.log"))
                .start());
    }

    @Override
    public void end() {
        running.ifPresent(ChildProcess::kill);
        running = Optional.empty();
    }

    @Override
    public void close() {
        end();
    }
}
