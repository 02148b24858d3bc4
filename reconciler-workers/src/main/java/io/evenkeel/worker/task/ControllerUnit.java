package io.evenkeel.worker.task;

import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.Link;
import io.evenkeel.worker.attempt.AttemptRunner;
import io.evenkeel.worker.dispatch.Permits;
import io.evenkeel.worker.ledger.Fold;
import io.evenkeel.worker.metrics.WorkerMetrics.ControllerMetrics;

/**
 * What all partitions of a process share of one controller.
 *
 * @param controller what it is
 * @param fold its state machine
 * @param runner runs its handler
 * @param permits how many attempts run at one time
 * @param metrics its counts
 */
public record ControllerUnit(
        Controller<?> controller, Fold fold, AttemptRunner<?> runner, Permits permits, ControllerMetrics metrics) {
    String name() {
        return controller.name();
    }

    /** Whether its primaries name objects that concern them. */
    boolean isNaming() {
        return controller.secondaries().stream().anyMatch(secondary -> secondary.link() instanceof Link.NamedByPrimary);
    }
}
