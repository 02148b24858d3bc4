package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.runtime.kafka.KafkaSettings;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Listens to the events that come to the log from now on, on a thread of its own. */
final class EventListener implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;

    /** @param each takes every event, on the listener's thread */
    EventListener(KafkaSettings kafka, TopicLayout layout, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        thread = Thread.ofPlatform()
                .daemon()
                .name("bench-events")
                .start(() -> listen(kafka, layout.name(Topic.EVENTS), each));
    }

    private void listen(KafkaSettings kafka, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try (var reader = new TopicReader(kafka, topic)) {
            reader.read(
                    new From.Now(),
                    true,
                    event -> {
                        each.accept(event);
                        return true;
                    },
                    () -> !closed);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
