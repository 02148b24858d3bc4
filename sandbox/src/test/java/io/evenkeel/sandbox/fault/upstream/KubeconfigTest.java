package io.evenkeel.sandbox.fault.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    private static final String TEXT = """
        current-context: two
        contexts:
        - {name: one, context: {cluster: a, user: token}}
        - {name: two, context: {cluster: b, user: certificate, namespace: shop}}
        - {name: three, context: {cluster: c}}
        - {name: lost, context: {cluster: nowhere}}
        clusters:
        - {name: a, cluster: {server: "https://a:6443/path", insecure-skip-tls-verify: true}}
        - {name: b, cluster: {server: "https://b:6443", certificate-authority-data: Q0E=}}
        - {name: c, cluster: {server: "https://c:6443", proxy-url: "http://p"}}
        users:
        - {name: token, user: {tokenFile: secrets/token}}
        - {name: certificate, user: {client-certificate: cert.pem, client-key-data: S0VZ, token: abc}}
        """;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("config"), TEXT);
        Files.writeString(folder.resolve("cert.pem"), "CERT");
    }

    @Test
    void givenContexts_whenRead_thenEachHasItsServerAndItsTrust() {
        Kubeconfig config = Kubeconfig.read(file);

        assertThat(config.contexts()).containsExactly("one", "two", "three", "lost");
        assertThat(config.currentContext()).isEqualTo("two");
        Upstream one = config.upstream("one");
        assertThat(one.cluster()).isEqualTo("one");
        assertThat(one.server()).isEqualTo(URI.create("https://a:6443/path"));
        assertThat(one.trust()).isEqualTo(new Upstream.Trust.Anyone());
        Upstream two = config.upstream("two");
        assertThat(two.trust()).isEqualTo(new Upstream.Trust.Authority("CA"));
        assertThat(two.identity()).contains(new ClientIdentity("CERT", "KEY"));
        assertThat(two.toString()).doesNotContain("KEY");
    }

    @Test
    void givenEntrances_whenWritten_thenServersAreThoseAndUsersKeepAllButCertificates() throws IOException {
        Map<String, Kubeconfig.Entrance> entrances = Map.of(
                "one", new Kubeconfig.Entrance(URI.create("https://127.0.0.1:1"), "PEM1"),
                "two", new Kubeconfig.Entrance(URI.create("https://127.0.0.1:2"), "PEM2"));

        String text = Kubeconfig.read(file).through(entrances);

        Kubeconfig through = Kubeconfig.read(Files.writeString(folder.resolve("through"), text));
        assertThat(through.contexts()).containsExactlyInAnyOrder("one", "two");
        assertThat(through.currentContext()).isEqualTo("two");
        assertThat(through.upstream("two"))
                .isEqualTo(Upstream.at(URI.create("https://127.0.0.1:2"))
                        .named("two")
                        .trusting("PEM2"));
        assertThat(text)
                .contains("abc", "shop", folder.resolve("secrets/token").toString())
                .doesNotContain("client-", "insecure");
    }

    @Test
    void givenSomethingThatCannotBeUsed_whenRead_thenTheMessageSaysWhatAndWhere() throws IOException {
        Kubeconfig config = Kubeconfig.read(file);

        assertThatThrownBy(() -> config.upstream("three"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageEndingWith("cluster c: proxy-url is not supported; reach the server without it");
        assertThatThrownBy(() -> config.upstream("four"))
                .hasMessageEndingWith("has no context named \"four\"; it has one, two, three, lost");
        assertThatThrownBy(() -> config.upstream("lost"))
                .hasMessageEndingWith("has no cluster named \"nowhere\"; it has a, b, c");
        assertThatThrownBy(() -> Kubeconfig.read(folder.resolve("none")))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("can't be read");
        Path list = Files.writeString(folder.resolve("list"), "[]");
        assertThatThrownBy(() -> Kubeconfig.read(list)).hasMessageContaining("must be a map");
    }
}
