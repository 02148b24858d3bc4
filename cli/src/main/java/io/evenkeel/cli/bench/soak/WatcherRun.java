package io.evenkeel.cli.bench.soak;

/** A watcher that is started and ended several times. */
interface WatcherRun extends AutoCloseable {
    void start();

    /** Ends it, in the middle of its work. */
    void end();

    @Override
    void close();

    /** In this process, ended in order. */
    static WatcherRun inThisProcess(WatcherSpec spec) {
        return new InThisProcess(spec);
    }
}
