package io.evenkeel.watcher.publish;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open transaction of one producer, begun with its first record. Any failure is final: what was sent is then not on
 * the log, or it is unknown whether it is, and only a new producer and a restored index tell. Not thread-safe.
 */
final class Transaction {
    private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

    private final Producer<byte[], byte[]> producer;
    private final FirstFailure failure = new FirstFailure();
    private boolean open;
    private int records;
    private long bytes;
    private long beganNanos;

    Transaction(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    boolean isOpen() {
        return open;
    }

    int records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    /** @throws KafkaException if the transaction cannot go on */
    @SuppressWarnings("FutureReturnValueIgnored") // failures come through the callback, all before a commit returns
    void send(ProducerRecord<byte[], byte[]> record) {
        if (!open) {
            producer.beginTransaction();
            open = true;
            beganNanos = System.nanoTime();
        }
        failure.check();
        producer.send(record, failure);
        records++;
        bytes += EventRecords.size(record);
    }

    /**
     * Makes everything sent visible at once. While the brokers do not answer it tries again, because the outcome is open
     * until they do.
     *
     * @param mayRetry asked before each further try
     * @throws KafkaException if it was not committed, or that is unknown
     */
    void commit(java.util.function.BooleanSupplier mayRetry) {
        failure.check();
        while (true) {
            try {
                producer.commitTransaction();
                break;
            } catch (TimeoutException e) {
                if (!mayRetry.getAsBoolean()) {
                    throw e;
                }
                LOG.atWarn().addKeyValue("records", records).log("Kafka does not answer; trying to commit again");
            }
        }
        open = false;
        records = 0;
        bytes = 0;
    }
}
