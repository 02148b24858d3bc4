package io.evenkeel.cli.dev;

import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the engine finds around it elsewhere: Kafka and a Kubernetes API.
 *
 * @param kafka the broker
 * @param kubernetes the API
 */
record Outside(EmbeddedKafka kafka, LocalKubernetes kubernetes) {
    /** Starts both at the same time; each goes into {@code life} as soon as it runs, so that none outlives the process. */
    static Outside start(
            KubernetesChoice choice, Ports ports, DataFolder folder, Map<String, String> environment, ProcessLife life)
            throws InterruptedException {
        var kafka = new AtomicReference<EmbeddedKafka>();
        var kubernetes = new AtomicReference<LocalKubernetes>();
        Together.run(() -> kafka.set(life.add("Kafka", Broker.start(ports.kafka(), folder))), () -> {
            LocalKubernetes started = LocalKubernetes.start(choice, ports.kubernetes(), folder, environment);
            life.add("Kubernetes API", started.part());
            kubernetes.set(started);
        });
        return new Outside(kafka.get(), kubernetes.get());
    }
}
