package io.evenkeel.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.runtime.cluster.ClusterChoice.ChosenContext;
import io.evenkeel.runtime.cluster.Reading.Found;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KubeconfigSourcesTest {
    @TempDir
    private Path folder;

    @Test
    void givenAMountedSecret_whenItsContentIsExchanged_thenTheFilesAreTheClusters() throws Exception {
        mount("..1", Map.of("eu-1", kubeconfig("one"), "eu-2.yaml", kubeconfig("two"), "ca.crt", "no kubeconfig"));
        var reader = new KubeconfigFolder(folder);
        assertThat(ids(reader)).containsExactlyInAnyOrder("eu-1", "eu-2");
        ClusterDefinition before = definition(reader, "eu-2");
        mount("..2", Map.of("eu-2.yaml", kubeconfig("moved"), "eu-3.kubeconfig", kubeconfig("three")));
        Files.delete(folder.resolve("eu-1"));
        assertThat(ids(reader)).containsExactlyInAnyOrder("eu-2", "eu-3");
        assertThat(definition(reader, "eu-2")).isNotEqualTo(before);
        assertThat(definition(reader, "eu-2")).isEqualTo(definition(reader, "eu-2"));
    }

    @Test
    void givenFilesThatCannotBeUsed_whenRead_thenEachIsToldWithItsReasonAndNoSecret() throws Exception {
        Files.writeString(folder.resolve("Upper"), kubeconfig("x"));
        Files.writeString(folder.resolve("broken"), "users:\n- token: geheim\n contexts: [");
        Files.writeString(folder.resolve("empty"), "");
        Files.writeString(folder.resolve("no-server"), kubeconfig("x").replace("http://", "ftp://geheim@"));
        Files.writeString(
                folder.resolve("bad-ca"),
                kubeconfig("x").replace("http://x:1", "https://x:1\n    certificate-authority-data: geheim"));
        Files.writeString(
                folder.resolve("proxied"), kubeconfig("x").replace("http://x:1", "http://x:1\n    proxy-url: p"));
        Files.writeString(folder.resolve("good"), kubeconfig("x"));
        Map<String, Found> found = new KubeconfigFolder(folder).read().found();
        assertThat(problem(found, "Upper")).contains("the id of a cluster must have 1 to 63", "'Upper'");
        assertThat(problem(found, "broken")).contains("no YAML, see line 3");
        assertThat(problem(found, "empty")).contains("no contexts");
        assertThat(problem(found, "no-server")).contains("server must be an address such as");
        assertThat(problem(found, "bad-ca")).contains("certificate authority for https://x:1/ cannot be used");
        assertThat(problem(found, "proxied")).contains("proxy-url, which is not supported");
        assertThat(found.get("file " + folder.resolve("good"))).isInstanceOf(Found.Good.class);
        assertThat(found.toString()).doesNotContain("token-of-x");
    }

    @Test
    void givenContexts_whenChosen_thenTheyAreClustersUnderTheirIds() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), contexts("arn:aws:1", "eu-1", "eu-2"));
        var chosen = new KubeconfigContexts(
                file, List.of(new ChosenContext("us", "arn:aws:1"), new ChosenContext("eu-9", "eu-9")));
        assertThat(ids(chosen)).containsExactly("us");
        assertThat(chosen.read().found().values()).hasAtLeastOneElementOfType(Found.Missing.class);
        var all = new KubeconfigContexts(file, List.of());
        assertThat(ids(all)).containsExactlyInAnyOrder("eu-1", "eu-2");
        assertThat(all.read().found().get("kubeconfig " + file + ", context arn:aws:1"))
                .isInstanceOfSatisfying(
                        Found.Bad.class,
                        bad -> assertThat(bad.problem()).contains("write <id>=arn:aws:1 in clusters.contexts"));
    }

    @Test
    void givenManyContexts_whenOneChanges_thenTheOthersAreTheSameAsBefore() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), contexts("eu-1", "eu-2"));
        var reader = new KubeconfigContexts(file, List.of());
        ClusterDefinition first = definition(reader, "eu-1");
        ClusterDefinition second = definition(reader, "eu-2");
        Files.writeString(file, contexts("eu-1", "eu-2").replace("token-of-eu-2", "another"));
        assertThat(definition(reader, "eu-1")).isEqualTo(first);
        assertThat(definition(reader, "eu-2")).isNotEqualTo(second);
    }

    @Test
    void givenNamedCertificates_whenTheyAreExchanged_thenTheDefinitionIsAnother() throws Exception {
        Files.writeString(folder.resolve("ca.crt"), "one");
        Files.writeString(
                folder.resolve("eu-1"),
                kubeconfig("x").replace("http://x:1", "http://x:1\n    certificate-authority: ca.crt"));
        var reader = new KubeconfigFolder(folder);
        ClusterDefinition before = definition(reader, "eu-1");
        Files.writeString(folder.resolve("ca.crt"), "two");
        assertThat(definition(reader, "eu-1")).isNotEqualTo(before);
    }

    @Test
    void givenATokenFile_whenItIsExchanged_thenTheNextRequestHasTheNewToken() throws Exception {
        Files.writeString(folder.resolve("it.token"), "first\n");
        Files.writeString(folder.resolve("eu-1"), kubeconfig("x").replace("token: token-of-x", "tokenFile: it.token"));
        ApiCredentials credentials = ApiCredentials.of(definition(new KubeconfigFolder(folder), "eu-1"));
        assertThat(credentials.authorization()).contains("Bearer first");
        Files.writeString(folder.resolve("it.token"), "second\n");
        assertThat(credentials.authorization()).contains("Bearer second");
        assertThat(credentials.config().getOauthTokenProvider().getToken()).isEqualTo("second");
    }

    @Test
    void givenAFolder_whenFollowed_thenEachChangeIsToldAndABadOneIsNot() throws Exception {
        define("eu-1", kubeconfig("one"));
        List<Set<String>> told = new CopyOnWriteArrayList<>();
        try (ClusterSource source = new ClusterChoice.Folder(folder, Duration.ofMillis(50)).open()) {
            source.follow(clusters -> told.add(Set.copyOf(clusters.keySet())));
            assertThat(told).containsExactly(Set.of("eu-1"));
            define("eu-2", kubeconfig("two"));
            await().atMost(Duration.ofSeconds(30)).until(() -> told.contains(Set.of("eu-1", "eu-2")));
            define("eu-1", "garbage");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !source.problems().isEmpty());
            assertThat(source.clusters()).containsOnlyKeys("eu-1", "eu-2");
            Files.delete(folder.resolve("eu-2"));
            await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 3);
            assertThat(told.getLast()).containsExactly("eu-1");
        }
    }

    @Test
    void givenASourceThatIsNotThere_whenOpened_thenTheStartFailsInWords() {
        var missing = new ClusterChoice.Folder(folder.resolve("nowhere"), Duration.ofSeconds(1));
        assertThatThrownBy(missing::open)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("folder " + folder.resolve("nowhere") + " cannot be used");
    }

    @Test
    void givenSettings_whenRead_thenTheyNameOneSource() {
        assertThat(choice(Map.of())).isInstanceOf(ClusterChoice.Single.class);
        assertThat(choice(Map.of("clusters.folder", "/clusters")))
                .isEqualTo(new ClusterChoice.Folder(Path.of("/clusters"), Duration.ofSeconds(5)));
        assertThat(choice(Map.of("clusters.kubeconfig", "/k", "clusters.contexts", "eu-1,us=arn:x")))
                .isEqualTo(new ClusterChoice.Contexts(
                        Path.of("/k"),
                        List.of(new ChosenContext("eu-1", "eu-1"), new ChosenContext("us", "arn:x")),
                        Duration.ofSeconds(5)));
        assertThat(choice(Map.of("clusters.secrets-namespace", "evenkeel", "cluster.context", "hub")))
                .isEqualTo(new ClusterChoice.Secrets(
                        new ClusterSettings("local", Optional.empty(), Optional.of("hub")),
                        "evenkeel",
                        Duration.ofSeconds(5)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> choice(Map.of("clusters.folder", "/f", "clusters.kubeconfig", "/k")))
                .withMessageContaining("clusters come from one place");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> choice(Map.of("clusters.kubeconfig", "/k", "clusters.contexts", "Bad_Name")))
                .withMessageContaining("'Bad_Name'");
    }

    private static ClusterChoice choice(Map<String, String> values) {
        return ClusterChoice.from(SettingsReader.of(ClusterChoice.CATALOGUE)
                .program("test", values)
                .read());
    }

    private void define(String name, String content) throws IOException {
        Path hidden = Files.writeString(folder.resolve("." + name), content);
        Files.move(hidden, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** As the kubelet does it: the files are links into a hidden folder, which is exchanged as a whole. */
    private void mount(String version, Map<String, String> files) throws IOException {
        Path hidden = Files.createDirectory(folder.resolve(version));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(hidden.resolve(file.getKey()), file.getValue());
        }
        Files.createSymbolicLink(folder.resolve("..new"), Path.of(version));
        Files.move(folder.resolve("..new"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        for (String name : files.keySet()) {
            Files.deleteIfExists(folder.resolve(name));
            Files.createSymbolicLink(folder.resolve(name), Path.of("..data", name));
        }
    }

    private static List<String> ids(DefinitionReader reader) throws Exception {
        return definitions(reader).stream().map(ClusterDefinition::name).toList();
    }

    private static ClusterDefinition definition(DefinitionReader reader, String name) throws Exception {
        return definitions(reader).stream()
                .filter(definition -> definition.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<ClusterDefinition> definitions(DefinitionReader reader) throws Exception {
        return reader.read().found().values().stream()
                .filter(Found.Good.class::isInstance)
                .map(found -> ((Found.Good) found).definition())
                .toList();
    }

    private String problem(Map<String, Found> found, String name) {
        return found.get("file " + folder.resolve(name)) instanceof Found.Bad(String problem) ? problem : "none";
    }

    private static String kubeconfig(String host) {
        return contexts(host);
    }

    private static String contexts(String... names) {
        var text = new StringBuilder("apiVersion: v1\nkind: Config\nclusters:\n");
        for (String name : names) {
            text.append("- name: ").append(name).append("\n  cluster:\n    server: http://");
            text.append(name.replaceAll("[^a-z0-9-]", "-")).append(":1\n");
        }
        text.append("users:\n");
        for (String name : names) {
            text.append("- name: ")
                    .append(name)
                    .append("\n  user:\n    token: token-of-")
                    .append(name)
                    .append('\n');
        }
        text.append("contexts:\n");
        for (String name : names) {
            text.append("- name: ")
                    .append(name)
                    .append("\n  context: {cluster: '")
                    .append(name);
            text.append("', user: '").append(name).append("'}\n");
        }
        return text.toString();
    }
}
