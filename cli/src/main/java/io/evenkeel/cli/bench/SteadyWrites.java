package io.evenkeel.cli.bench;

import io.evenkeel.api.json.Json;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.JsonNode;

/**
 * Changes of ConfigMaps that go round over the objects of {@link BenchWorld#createObjects} at a steady rate, whatever the
 * answers take, as users would: slow answers must not hide what comes after them.
 */
final class SteadyWrites {
    private static final int WRITERS = 32;

    private final ConfigMapWriter writer;
    private final int objects;
    private final int rate;
    private final ChangeClock toAnswer = new ChangeClock();
    private final List<ChangeClock> clocks;
    private final AtomicLong number = new AtomicLong();

    /**
     * @param objects how many there are
     * @param rate changes per second, 1 or more
     * @param clocks are told of each write when it is sent
     */
    SteadyWrites(Config config, int objects, int rate, List<ChangeClock> clocks) {
        this.writer = new ConfigMapWriter(config, BenchWorld.NAMESPACE, WRITERS);
        this.objects = objects;
        this.rate = rate;
        this.clocks = new ArrayList<>(clocks);
        this.clocks.add(toAnswer);
    }

    /** Sends for so long, and waits for all answers. */
    void send(Duration duration) throws InterruptedException {
        long changes = duration.toSeconds() * rate;
        long gapNanos = TimeUnit.SECONDS.toNanos(1) / rate;
        try (var load = new Load(WRITERS)) {
            long begun = System.nanoTime();
            for (long change = 0; change < changes; change++) {
                LockSupport.parkNanos(begun + change * gapNanos - System.nanoTime());
                String name = BenchWorld.name((int) (change % objects));
                load.start(() -> write(name));
            }
        }
    }

    private void write(String name) {
        long next = number.incrementAndGet();
        long now = System.nanoTime();
        clocks.forEach(clock -> clock.sent(name, next, now));
        writer.replace(name, "{\"payload\":\"" + BenchWorld.PAYLOAD + "\",\"number\":\"" + next + "\"}");
        toAnswer.reached(name, next, System.nanoTime());
    }

    /** From each request to its answer. */
    ChangeClock toAnswer() {
        return toAnswer;
    }

    /** Forgets all measurements so far. */
    void forget() {
        clocks.forEach(ChangeClock::reset);
    }

    /** Notes on {@code clock} that the change can be read from the log, if it is one of these writes. */
    static void reached(ChangeClock clock, ConsumerRecord<byte[], byte[]> event, long nanoTime) {
        JsonNode object = Json.mapper().readTree(event.value()).path("object");
        object.path("data")
                .path("number")
                .asStringOpt()
                .ifPresent(written -> clock.reached(
                        object.path("metadata").path("name").asString(), Long.parseLong(written), nanoTime));
    }
}
