package io.evenkeel.worker.task;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.worker.control.Pauses;
import io.evenkeel.worker.dispatch.Quarantine;
import io.evenkeel.worker.health.Progress;
import io.evenkeel.worker.metrics.WorkerMetrics;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What the partitions of one process share.
 *
 * @param worker id of the process
 * @param layout names and sizes of the topics
 * @param controllers what it runs
 * @param outcomes where outcomes go
 * @param takeOver tells how far outcomes reached
 * @param parked hears of parked keys
 * @param membership whether writes may pass, and how long closing partitions may drain
 * @param acknowledgements whether what a stream thread sent is safe
 * @param quarantine where keys run that may kill their worker
 * @param pauses what is paused
 * @param progress hears of each turn
 * @param handlers runs attempts, each on a thread of its own
 * @param clock of the process
 * @param random spreads what would come together; thread-safe
 * @param metrics counts
 */
public record TaskEnvironment(
        String worker,
        TopicLayout layout,
        Controllers controllers,
        OutcomeSender outcomes,
        TakeOver takeOver,
        ParkedListener parked,
        Membership membership,
        Acknowledgements acknowledgements,
        Quarantine quarantine,
        Pauses pauses,
        Progress progress,
        Executor handlers,
        Clock clock,
        RandomGenerator random,
        WorkerMetrics metrics) {}
