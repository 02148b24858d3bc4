package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clusters whose definitions are looked at again and again. */
final class RereadClusters implements ClusterSource {
    private static final Logger LOG = LoggerFactory.getLogger(RereadClusters.class);
    private static final Duration END_PATIENCE = Duration.ofSeconds(2);

    private final DefinitionReader reader;
    private final Duration interval;
    private final List<Consumer<Map<String, ClusterDefinition>>> listeners = new ArrayList<>();
    private final Thread thread;
    private volatile ClusterBook book = ClusterBook.EMPTY;

    /**
     * Looks once, on the caller's thread.
     *
     * @param interval between two looks
     * @throws StartupException if the source as a whole cannot be read
     */
    RereadClusters(DefinitionReader reader, Duration interval) {
        this.reader = reader;
        this.interval = interval;
        try {
            take(ClusterBook.EMPTY.after(reader.read()));
        } catch (BadDefinitionException e) {
            reader.close();
            throw new StartupException(ExitCode.ERROR, reader.describe() + " cannot be used: " + e.reason() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reader.close();
            throw new StartupException(ExitCode.ERROR, reader.describe() + " was not read: interrupted.", e);
        }
        if (book.byPlace().isEmpty()) {
            LOG.atWarn().addKeyValue("source", reader.describe()).log("no cluster is defined yet");
        }
        this.thread = Thread.ofVirtual().name("clusters").start(this::run);
    }

    @Override
    public Map<String, ClusterDefinition> clusters() {
        return book.byName();
    }

    @Override
    public List<ClusterProblem> problems() {
        return book.problems();
    }

    @Override
    public synchronized void follow(Consumer<Map<String, ClusterDefinition>> listener) {
        listeners.add(listener);
        listener.accept(clusters());
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(END_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        reader.close();
    }

    private void run() {
        try {
            while (true) {
                reader.awaitChange(interval);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the way to end
        }
    }

    // Whatever goes wrong in a look: the clusters of before stay, and the next look comes.
    @SuppressWarnings("IllegalCatch")
    private void look() throws InterruptedException {
        ClusterBook next;
        try {
            next = book.after(reader.read());
        } catch (BadDefinitionException | RuntimeException e) {
            next = book.after(new ClusterProblem(reader.describe(), e.getMessage() + "; the known clusters stay"));
        }
        if (take(next)) {
            tell();
        }
    }

    // What a listener does about a cluster must not end the source; what it could not do it is asked again.
    @SuppressWarnings("IllegalCatch")
    private synchronized void tell() {
        for (Consumer<Map<String, ClusterDefinition>> listener : listeners) {
            try {
                listener.accept(clusters());
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("the change of clusters was not carried out in full");
            }
        }
    }

    /** Whether the clusters are others than before. */
    private boolean take(ClusterBook next) {
        ClusterBook before = book;
        book = next;
        next.problems().stream()
                .filter(problem -> !before.problems().contains(problem))
                .forEach(problem -> LOG.atError()
                        .addKeyValue("where", problem.where())
                        .addKeyValue("problem", problem.what())
                        .log("cluster definition cannot be used"));
        before.problems().stream()
                .map(ClusterProblem::where)
                .filter(where -> next.problems().stream()
                        .noneMatch(problem -> problem.where().equals(where)))
                .forEach(where -> LOG.atInfo().addKeyValue("where", where).log("cluster definition is in order again"));
        Map<String, ClusterDefinition> former = before.byName();
        Map<String, ClusterDefinition> latter = next.byName();
        if (former.equals(latter)) {
            return false;
        }
        var names = new TreeSet<>(former.keySet());
        names.addAll(latter.keySet());
        for (String name : names) {
            report(name, Optional.ofNullable(former.get(name)), Optional.ofNullable(latter.get(name)));
        }
        return true;
    }

    private static void report(String name, Optional<ClusterDefinition> before, Optional<ClusterDefinition> after) {
        if (!before.equals(after)) {
            LOG.atInfo()
                    .addKeyValue("cluster", name)
                    .log(before.isEmpty() ? "cluster added" : after.isEmpty() ? "cluster removed" : "cluster changed");
        }
    }
}
