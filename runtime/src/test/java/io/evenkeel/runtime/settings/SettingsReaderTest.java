package io.evenkeel.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {
    private static final Setting<Integer> PAGE_SIZE =
            Setting.integer("watcher.page-size", 500, 1, 10_000, "objects per list page");
    private static final Setting<List<String>> RESOURCES =
            Setting.list("watcher.resources", List.of(), "resources to watch");
    private static final Setting<Optional<Secret>> REDACTION_KEY =
            Setting.secret("watcher.redaction-key", "key of the hashes that replace secrets");
    private static final Setting<Duration> TRANSACTION = Setting.millis(
            "watcher.transaction-millis",
            Duration.ofMillis(5),
            Duration.ofMillis(1),
            Duration.ofSeconds(5),
            "longest transaction");
    private static final Setting<Color> COLOR =
            Setting.choice("console.color", Color.DARK_BLUE, Color.class, "color of the page");
    private static final Setting<Integer> PORT = Setting.integer("http.port", 8080, 0, 65_535, "port");
    private static final Catalogue CATALOGUE = Catalogue.of(
                    PAGE_SIZE, RESOURCES, REDACTION_KEY, TRANSACTION, COLOR, PORT)
            .withOpenGroups("kafka");

    @TempDir
    private Path folder;

    private enum Color {
        DARK_BLUE,
        RED
    }

    @Test
    void givenNothing_whenRead_thenDefaultsHold() {
        Settings settings = reader().read();

        assertThat(settings.value(PAGE_SIZE)).isEqualTo(500);
        assertThat(settings.value(REDACTION_KEY)).isEmpty();
        assertThat(settings.value(COLOR)).isEqualTo(Color.DARK_BLUE);
        assertThat(settings.origin(PAGE_SIZE)).isEqualTo(new Origin.Default());
        assertThat(settings.isSet(PAGE_SIZE)).isFalse();
    }

    @Test
    void givenAllSources_whenRead_thenFlagsWinOverEnvironmentOverFileOverProgram() throws IOException {
        Path file = file("watcher:\n  page-size: 2\n  transaction-millis: 20\nhttp.port: 1\n");
        Settings settings = reader().program("the running dev", Map.of("http.port", "7", "console.color", "red"))
                .file(file)
                .environment(Map.of("EVENKEEL_WATCHER_PAGE_SIZE", "3", "EVENKEEL_WATCHER_TRANSACTION_MILLIS", "30"))
                .flags(List.of("watcher.page-size=4"))
                .read();

        assertThat(settings.value(PAGE_SIZE)).isEqualTo(4);
        assertThat(settings.origin(PAGE_SIZE)).isEqualTo(new Origin.Flag("--set"));
        assertThat(settings.value(TRANSACTION)).isEqualTo(Duration.ofMillis(30));
        assertThat(settings.origin(TRANSACTION)).isEqualTo(new Origin.Variable("EVENKEEL_WATCHER_TRANSACTION_MILLIS"));
        assertThat(settings.value(PORT)).isEqualTo(1);
        assertThat(settings.origin(PORT)).isEqualTo(new Origin.File(file.toString(), 4));
        assertThat(settings.value(COLOR)).isEqualTo(Color.RED);
        assertThat(settings.origin(COLOR).describe()).isEqualTo("the running dev");
    }

    @Test
    void givenListInFile_whenRead_thenItsItemsAreKept() throws IOException {
        Settings settings = reader().file(file("watcher:\n  resources:\n    - deployments.apps\n    - services\n"))
                .read();

        assertThat(settings.value(RESOURCES)).containsExactly("deployments.apps", "services");
    }

    @Test
    void givenKafkaKeys_whenRead_thenTheyPassThrough() throws IOException {
        Settings settings = reader().file(
                        file("kafka:\n  bootstrap.servers: a:9092\n  ssl:\n    truststore.location: /t\n"))
                .environment(Map.of("EVENKEEL_KAFKA_SECURITY_PROTOCOL", "SSL"))
                .read();

        assertThat(settings.group("kafka"))
                .containsExactly(
                        Map.entry("bootstrap.servers", "a:9092"),
                        Map.entry("security.protocol", "SSL"),
                        Map.entry("ssl.truststore.location", "/t"));
    }

    @Test
    void givenUnknownKey_whenRead_thenNearestKnownOneIsNamed() throws IOException {
        Path file = file("# mine\nwatcher.pagesize: 5\n");

        assertThatThrownBy(() -> reader().file(file).read())
                .isInstanceOf(SettingsException.class)
                .hasMessage("unknown key watcher.pagesize in " + file + " line 2; did you mean watcher.page-size?");
    }

    @Test
    void givenUnknownVariable_whenRead_thenItIsRefused() {
        assertThatThrownBy(() -> reader().environment(Map.of("EVENKEEL_WATCHER_PAGESIZE", "5"))
                        .read())
                .hasMessage("unknown key watcher.pagesize in variable EVENKEEL_WATCHER_PAGESIZE;"
                        + " did you mean watcher.page-size?");
    }

    @Test
    void givenKeyLikeNoOther_whenRead_thenNothingIsGuessed() {
        assertThatThrownBy(() -> reader().flags(List.of("zebra.stripes=1")).read())
                .hasMessage("unknown key zebra.stripes in flag --set; evenkeel config print lists all keys");
    }

    @Test
    void givenSeveralMistakes_whenRead_thenAllAreReportedAtOnce() throws IOException {
        Path file = file("""
            watcher:
              page-size: 0
              transaction-millis: soon
              redaction-key: ""
            http.port: 99999
            console.color: green
            watcher.resources:
            """);

        assertThatThrownBy(() -> reader().file(file).read())
                .message()
                .hasLineCount(6)
                .contains(
                        "watcher.page-size must be a whole number from 1 to 10000 but is '0' (" + file + " line 2)",
                        "watcher.transaction-millis must be a whole number from 1 to 5000 but is 'soon' (" + file
                                + " line 3)",
                        "watcher.redaction-key must be a text that is not empty but is [hidden] (" + file + " line 4)",
                        "http.port must be a whole number from 0 to 65535 but is '99999' (" + file + " line 5)",
                        "console.color must be one of dark-blue, red but is 'green' (" + file + " line 6)",
                        "watcher.resources in " + file + " line 7 has no value");
    }

    @Test
    void givenKeyTwiceInOneFile_whenRead_thenItIsRefused() throws IOException {
        Path file = file("watcher.page-size: 5\nwatcher:\n  page-size: 6\n");

        assertThatThrownBy(() -> reader().file(file).read())
                .hasMessage("watcher.page-size is set twice, the second time in " + file + " line 3");
    }

    @Test
    void givenBrokenYaml_whenRead_thenLineIsNamed() throws IOException {
        Path file = file("watcher:\n  page-size: [1\n");

        assertThatThrownBy(() -> reader().file(file).read())
                .hasMessageStartingWith(file + " line ")
                .hasMessageContaining("is not YAML");
    }

    @Test
    void givenMissingFile_whenRead_thenItIsNamed() {
        assertThatThrownBy(() -> reader().file(folder.resolve("none.yaml")).read())
                .hasMessage("settings file " + folder.resolve("none.yaml") + " does not exist");
    }

    @Test
    void givenEmptyFile_whenRead_thenDefaultsHold() throws IOException {
        assertThat(reader().file(file("")).read().value(PAGE_SIZE)).isEqualTo(500);
        assertThat(reader().file(file("# nothing\n")).read().value(PAGE_SIZE)).isEqualTo(500);
    }

    @Test
    void givenSecret_whenShown_thenItIsHidden() {
        Settings settings = reader().flags(List.of("watcher.redaction-key=abc", "kafka.ssl.key.password=abc"))
                .read();

        assertThat(settings.value(REDACTION_KEY).orElseThrow().reveal()).isEqualTo("abc");
        assertThat(settings.shown().toString()).doesNotContain("abc").contains("[hidden]");
    }

    @Test
    void givenServiceLinksOfKubernetes_whenRead_thenTheyAreNoSettings() {
        Settings settings = reader().environment(Map.of(
                        "EVENKEEL_SERVICE_HOST", "10.0.0.1",
                        "EVENKEEL_WATCHER_PORT_8080_TCP_ADDR", "10.0.0.1",
                        "EVENKEEL_HTTP_PORT", "tcp://10.0.0.1:8080",
                        "EVENKEEL_JAVA_OPTS", "-Xmx1g"))
                .read();

        assertThat(settings.value(PORT)).isEqualTo(8080);
    }

    @Test
    void givenOneFileForSeveralRoles_whenForeignGroupsAreIgnored_thenOnlyOwnKeysCount() throws IOException {
        Settings settings = reader().file(file("worker.concurrency: 5\nwatcher.page-size: 6\n"))
                .ignoringGroups("worker")
                .read();

        assertThat(settings.value(PAGE_SIZE)).isEqualTo(6);
    }

    @Test
    void givenOneFileForSeveralRoles_whenTheOwnGroupIsNamedAmongTheForeign_thenItsKeysCountAndMistakesAreFound()
            throws IOException {
        SettingsReader own = reader().ignoringGroups("watcher", "worker");

        assertThat(own.file(file("watcher.page-size: 6\n")).read().value(PAGE_SIZE))
                .isEqualTo(6);
        assertThatThrownBy(() -> reader().file(file("watcher.page-sise: 6\n"))
                        .ignoringGroups("watcher", "worker")
                        .read())
                .hasMessageContaining("did you mean watcher.page-size?");
    }

    @Test
    void givenAMapWhereATextIsWanted_whenRead_thenTheQuotesThatAreMissingAreNamed() {
        assertThatThrownBy(() -> reader().file(file("watcher.resources:\n- pods: .spec\n"))
                        .read())
                .hasMessageContaining("f.yaml line 2")
                .hasMessageContaining("put a text that holds ': ' in quotes");
    }

    @Test
    void givenMalformedAssignment_whenRead_thenFormIsExplained() {
        assertThatThrownBy(() -> reader().flags(List.of("watcher.page-size")).read())
                .hasMessage("--set takes key=value but got 'watcher.page-size'");
    }

    @Test
    void givenValuesThatDoNotFit_whenRecordIsBuilt_thenItsMessageIsKept() {
        assertThatThrownBy(() -> reader().read().as(settings -> {
                    throw new IllegalArgumentException("a must be below b");
                }))
                .isInstanceOf(SettingsException.class)
                .hasMessage("a must be below b");
    }

    private static SettingsReader reader() {
        return SettingsReader.of(CATALOGUE);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("f.yaml"), text);
    }
}
