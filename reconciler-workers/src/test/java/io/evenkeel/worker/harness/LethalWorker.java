package io.evenkeel.worker.harness;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Backoff;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.worker.WorkerProcess;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A worker as a process of its own, which its handler kills for every Widget named poison. Two attempts, not five: each
 * death takes the group a session timeout to notice.
 */
public final class LethalWorker {
    /** After which a key is parked. */
    public static final int ATTEMPTS = 2;

    private LethalWorker() {}

    /** @param args bootstrap servers, prefix of the topics, folder for the stores */
    public static void main(String[] args) throws Exception {
        Worker worker = Worker.named("lethal")
                .reconcile(Widget.class)
                .backoff(Backoff.exponential().upTo(ATTEMPTS))
                .with((widget, context) -> {
                    if (widget.getMetadata().getName().equals("poison")) {
                        Runtime.getRuntime().halt(1);
                    }
                    return Outcome.done();
                });
        var layout = new TopicLayout(args[1], 1, 1, (short) 1, (short) 1);
        WorkerSetting setting = WorkerSetting.of(args[0], layout, Path.of(args[2]));
        try (WorkerProcess process = worker.start(setting.shortSession())) {
            System.out.println(process.id() + " runs");
            new CountDownLatch(1).await(); // until it is killed
        }
    }
}
