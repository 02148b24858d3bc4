package io.evenkeel.runtime.kafka;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.time.Duration;

/** Kafka did not answer in time. */
public final class KafkaUnreachableException extends StartupException {
    private static final long serialVersionUID = 1L;

    /** @param waited how long an answer was waited for */
    public KafkaUnreachableException(KafkaSettings kafka, Duration waited, Throwable cause) {
        super(
                ExitCode.UNREACHABLE,
                "Kafka at " + kafka.bootstrapServers() + " did not answer within " + waited.toSeconds()
                        + " s. Check that it runs and that kafka.bootstrap.servers (or --bootstrap-servers) is right.",
                cause);
    }
}
