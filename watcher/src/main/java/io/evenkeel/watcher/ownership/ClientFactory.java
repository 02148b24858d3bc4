package io.evenkeel.watcher.ownership;

import io.evenkeel.api.topic.TopicLayout;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Makes a watcher's clients of Kafka. Thread-safe. */
public interface ClientFactory {
    /** Names of the topics that they work on. */
    TopicLayout layout();

    /** A producer for the partition; its {@code initTransactions} makes it the only one that can write. */
    Producer<byte[], byte[]> producer(int partition);

    /** A consumer that reads a partition from its beginning, committed records only. */
    Consumer<byte[], byte[]> restorer(int partition);

    /**
     * The member of the group that shares the partitions.
     *
     * @param session how long the group waits for a member that is silent, unless the settings say it
     */
    Consumer<byte[], byte[]> member(Duration session);
}
