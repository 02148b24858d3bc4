package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.evenkeel.runtime.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatcherConfigTest {
    @Test
    void givenOnlyResources_whenRead_thenEverythingElseHasItsDefault() {
        WatcherConfig config = read(Map.of("watcher.resources", "memcacheds.cache.example.com,services"));
        assertThat(config.resources())
                .containsExactly(
                        WatchedResource.parse("memcacheds.cache.example.com"), WatchedResource.parse("services"));
        assertThat(config.excluded())
                .extracting(ResourceName::toString)
                .containsExactly(
                        "events",
                        "events.events.k8s.io",
                        "leases.coordination.k8s.io",
                        "endpointslices.discovery.k8s.io",
                        "secrets");
        assertThat(config.pageSize()).isEqualTo(500);
        assertThat(config.maxRecordBytes()).isEqualTo(1_000_000);
        assertThat(config.transactionAge()).isEqualTo(Duration.ofMillis(100));
        assertThat(config.transactionEvents()).isEqualTo(2_000);
        assertThat(config.backlogBytes()).isEqualTo(4 << 20);
        assertThat(config.memoryBytes()).isEqualTo(64 << 20);
        assertThat(config.silence()).isEqualTo(Duration.ofSeconds(150));
        assertThat(config.redactionKey()).isEmpty();
        assertThat(config.stateDir()).isEqualTo(Optional.empty());
        assertThat(config.groupId()).isEqualTo(Optional.empty());
        assertThat(config.redact()).isEmpty();
    }

    @Test
    void givenNothingToWatch_whenRead_thenTheMessageNamesTheSetting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of()))
                .withMessage("watcher.resources must name at least one resource but is empty");
    }

    @Test
    void givenMalformedResource_whenRead_thenTheMessageShowsIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "apps/deployments")))
                .withMessageContaining("'apps/deployments'");
    }

    @Test
    void givenSecretsWithoutKey_whenRead_thenItIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "secrets")))
                .withMessageContaining("watcher.redaction-key must be set");
    }

    @Test
    void givenEverythingWithSecretsNotExcluded_whenReadWithoutKey_thenItIsRefused() {
        assertThat(read(Map.of("watcher.resources", "*")).redactionKey()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "*", "watcher.exclude", "events")))
                .withMessageContaining("watcher.redaction-key must be set");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "*,secrets -n shop")))
                .withMessageContaining("watcher.redaction-key must be set");
    }

    @Test
    void givenAResourceTwice_whenRead_thenItIsRefusedWhateverItsSelection() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "pods -l app=web,pods -n shop")))
                .withMessageContaining("must name each resource once");
    }

    @Test
    void givenShortKey_whenRead_thenItIsRefusedWithoutShowingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "secrets", "watcher.redaction-key", "tooshort")))
                .withMessage("watcher.redaction-key must have 16 bytes or more but has 8")
                .withMessageNotContaining("tooshort");
    }

    @Test
    void givenRuleWithoutKey_whenRead_thenItIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        read(Map.of("watcher.resources", "configmaps", "watcher.redact", "configmaps: .data.password")))
                .withMessageContaining("watcher.redaction-key must be set for watcher.redact");
    }

    @Test
    void givenMalformedRule_whenRead_thenTheMessageSaysWhereItCameFrom() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(
                        Map.of("watcher.resources", "configmaps", "watcher.redact", "configmaps: .data.password,pods")))
                .withMessageStartingWith("watcher.redact (test): 'pods' has no colon");
    }

    @Test
    void givenKeyInAFile_whenRead_thenItIsTheKeyWithoutItsLineEnd(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "a key of 16 bytes or more\n");

        WatcherConfig config =
                read(Map.of("watcher.resources", "secrets", "watcher.redaction-key-file", file.toString()));

        assertThat(config.redactionKey().orElseThrow().reveal()).isEqualTo("a key of 16 bytes or more");
        assertThat(config.toString()).doesNotContain("a key of 16");
    }

    @Test
    void givenKeyFileThatIsNotThere_whenRead_thenTheMessageNamesIt(@TempDir Path folder) {
        String file = folder.resolve("absent").toString();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("watcher.resources", "secrets", "watcher.redaction-key-file", file)))
                .withMessageStartingWith("watcher.redaction-key-file names " + file + ", which cannot be read");
    }

    @Test
    void givenKeyTwice_whenRead_thenItIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "a key of 16 bytes or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of(
                        "watcher.resources", "secrets",
                        "watcher.redaction-key", "another key of 16 bytes",
                        "watcher.redaction-key-file", file.toString())))
                .withMessageContaining("are both set")
                .withMessageNotContaining("another key");
    }

    private static WatcherConfig read(Map<String, String> values) {
        return WatcherConfig.from(SettingsReader.of(WatcherConfig.CATALOGUE)
                .program("test", values)
                .read());
    }
}
