package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.evenkeel.runtime.settings.SettingsReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerConfigTest {
    @Test
    void givenOnlyKafka_whenRead_thenEverythingElseHasItsDefault() {
        WorkerConfig config = read(Map.of());

        assertThat(config.stateDir()).isEmpty();
        assertThat(config.limits().concurrency()).isEqualTo(256);
        assertThat(config.streamThreads()).isEqualTo(1);
        assertThat(config.drainTimeout()).isEqualTo(Duration.ofSeconds(6));
        assertThat(config.storeMemoryMebibytes()).isEqualTo(128);
        assertThat(config.group()).isEqualTo(new GroupSettings(Duration.ofSeconds(10), 0, Optional.empty()));
        assertThat(WorkerConfig.of(config.kafka(), config.topics(), config.clusters()))
                .isEqualTo(config);
    }

    @Test
    void givenDrainAsLongAsMembershipCanBeProven_whenRead_thenItIsTaken() {
        assertThat(read(Map.of("worker.drain-timeout-millis", "12000", "worker.session-timeout-millis", "20000"))
                        .drainTimeout())
                .isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void givenDrainThatOutlastsTheMembership_whenRead_thenBothSettingsAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        read(Map.of("worker.drain-timeout-millis", "12001", "worker.session-timeout-millis", "20000")))
                .withMessageStartingWith("worker.drain-timeout-millis must be at most 12000, three fifths of"
                        + " worker.session-timeout-millis, but is 12001");
    }

    @Test
    void givenAMemberWithANameAndStandbys_whenRead_thenTheyAreTaken() {
        assertThat(read(Map.of("worker.instance-id", "worker-0", "worker.standby-replicas", "1"))
                        .group())
                .isEqualTo(new GroupSettings(Duration.ofSeconds(10), 1, Optional.of("worker-0")));
    }

    @Test
    void givenANameThatKafkaDoesNotTake_whenRead_thenTheSettingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("worker.instance-id", "worker 0")))
                .withMessageContaining("worker.instance-id must have 1 to 200")
                .withMessageContaining("'worker 0'");
    }

    private static WorkerConfig read(Map<String, String> values) {
        var all = new HashMap<>(values);
        all.put("kafka.bootstrap.servers", "127.0.0.1:9092");
        return WorkerConfig.from(
                SettingsReader.of(WorkerConfig.CATALOGUE).program("test", all).read());
    }
}
