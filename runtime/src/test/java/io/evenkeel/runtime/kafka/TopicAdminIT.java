package io.evenkeel.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.process.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TopicAdminIT {
    @Test
    void givenKafkaThatIsDown_whenChecked_thenAddressIsNamedWithinTheBound() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (var topics = new TopicAdmin(
                KafkaSettings.at("127.0.0.1:" + port), TopicLayout.singleBroker(4), Duration.ofSeconds(1))) {
            assertThatThrownBy(topics::check)
                    .isInstanceOfSatisfying(
                            KafkaUnreachableException.class,
                            e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNREACHABLE))
                    .hasMessageContaining("Kafka at 127.0.0.1:" + port + " did not answer within 1 s");
        }
    }
}
