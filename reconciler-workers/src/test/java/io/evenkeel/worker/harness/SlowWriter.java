package io.evenkeel.worker.harness;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.reconciler.WriteRefusedException;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A worker as a process of its own, whose handler writes again and again for a long time, and says when it was not let.
 */
public final class SlowWriter {
    private static final int WRITES = 200;
    private static final long PAUSE_MILLIS = 100;

    private SlowWriter() {}

    /** @param args bootstrap servers, prefix of the topics, folder for the stores, kubeconfig */
    public static void main(String[] args) throws Exception {
        Worker worker = Worker.named("writer")
                .reconcile(Widget.class)
                .owning(ConfigMap.class)
                .with((widget, context) -> write(context, "slow", System.out::println));
        var layout = new TopicLayout(args[1], 1, 1, (short) 1, (short) 1);
        WorkerSetting setting = WorkerSetting.of(args[0], layout, Path.of(args[2]), Path.of(args[3]));
        try (WorkerProcess process = worker.start(setting.shortSession())) {
            System.out.println(process.id() + " runs");
            new CountDownLatch(1).await(); // until it is killed
        }
    }

    /** Writes again and again, and says so, until it is not let. */
    public static Outcome write(Context<Widget> context, String by, Consumer<String> say) throws InterruptedException {
        for (int i = 0; i < WRITES; i++) {
            try {
                context.apply(written(by, i));
            } catch (WriteRefusedException e) {
                say.accept("refused: " + e.getMessage());
                throw e;
            }
            say.accept("wrote " + i);
            Thread.sleep(PAUSE_MILLIS);
        }
        return Outcome.done();
    }

    /** What a writer leaves behind. */
    public static ConfigMap written(String by, int number) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("written")
                .endMetadata()
                .addToData("by", by)
                .addToData("number", Integer.toString(number))
                .build();
    }
}
