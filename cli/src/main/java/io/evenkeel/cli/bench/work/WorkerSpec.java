package io.evenkeel.cli.bench.work;

import io.evenkeel.api.json.Json;
import java.nio.charset.StandardCharsets;

/**
 * What a measured worker is; handed to a process of its own as one argument.
 *
 * @param bootstrapServers address of Kafka
 * @param prefix of the topics
 * @param partitions of the topics
 * @param kubeconfigs folder with one kubeconfig per cluster
 * @param stateDir folder of its stores
 * @param keys how many objects it expects, named {@link ObjectFlood#name} of 0 to {@code keys - 1}
 * @param standbyReplicas copies of the state that other processes keep
 * @param handling what its handler does
 */
record WorkerSpec(
        String bootstrapServers,
        String prefix,
        int partitions,
        String kubeconfigs,
        String stateDir,
        int keys,
        int standbyReplicas,
        Handling handling) {
    /**
     * What a handler does.
     *
     * @param sleepMillis how long it waits; 0 to return at once
     * @param failsEachTenth whether each tenth key always fails
     * @param reads whether it reads an object from its cluster
     * @param concurrency handlers at one time; 0 for the default
     */
    record Handling(int sleepMillis, boolean failsEachTenth, boolean reads, int concurrency) {
        static final Handling NOTHING = new Handling(0, false, false, 0);

        static Handling sleeping(int millis, int concurrency) {
            return new Handling(millis, false, false, concurrency);
        }
    }

    String text() {
        return new String(Json.write(this), StandardCharsets.UTF_8);
    }

    static WorkerSpec parse(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8), WorkerSpec.class);
    }
}
