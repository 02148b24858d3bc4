package io.evenkeel.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The main consumer of a stream thread. While keys wait for permits it polls in short turns, because a permit may become
 * free without any record coming in; it tells a {@link GroupProof} what it sees of its group.
 */
final class FoldConsumer extends KafkaConsumer<byte[], byte[]> {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final BooleanSupplier keysAreWaiting;
    private final GroupProof.Member member;
    private Optional<Metric> heartbeatCount = Optional.empty();

    FoldConsumer(Map<String, Object> config, BooleanSupplier keysAreWaiting, GroupProof proof) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.keysAreWaiting = keysAreWaiting;
        this.member = proof.member();
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        boolean hurry = keysAreWaiting.getAsBoolean() && timeout.compareTo(SHORT) > 0;
        ConsumerRecords<byte[], byte[]> records = super.poll(hurry ? SHORT : timeout);
        member.polled(heartbeats());
        return records;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, new Telling(listener));
    }

    @Override
    public void close() {
        member.left();
        super.close();
    }

    @Override
    public void close(CloseOptions options) {
        member.left();
        super.close(options);
    }

    /** Answered heartbeats so far. The counter is looked up once: there are hundreds, and a poll is a hot path. */
    private double heartbeats() {
        if (heartbeatCount.isEmpty()) {
            heartbeatCount = metrics().entrySet().stream()
                    .filter(metric -> metric.getKey().name().equals("heartbeat-total"))
                    .<Metric>map(Map.Entry::getValue)
                    .findFirst();
        }
        return heartbeatCount.map(Metric::metricValue).map(Double.class::cast).orElse(0.0);
    }

    /** Tells the proof of what is gained before Kafka Streams acts on it, and of what is given up after its drain. */
    private final class Telling implements ConsumerRebalanceListener {
        private final ConsumerRebalanceListener streams;

        Telling(ConsumerRebalanceListener streams) {
            this.streams = streams;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            member.assigned(partitions);
            streams.onPartitionsAssigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            streams.onPartitionsRevoked(partitions);
            member.revoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            member.revoked(partitions);
            streams.onPartitionsLost(partitions);
        }
    }
}
