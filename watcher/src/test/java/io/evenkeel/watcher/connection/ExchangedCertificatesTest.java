package io.evenkeel.watcher.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.evenkeel.runtime.cluster.ClusterAccess;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.sandbox.kube.server.Certificates;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a connection when certificates are exchanged, at a server that wants to see one of the client's. */
final class ExchangedCertificatesTest {
    private static final String ALIAS = "server"; // of the only key in each store

    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private Certificates former;
    private Certificates latter;
    private HttpsServer server;
    private ClusterConnection connection;

    @BeforeEach
    void open() throws Exception {
        former = Certificates.load(Optional.empty());
        latter = Certificates.load(Optional.empty());
        server = serve(0, former, former);
        describe(former, former);
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: it
                    contexts: [{name: it, context: {cluster: it, user: it}}]
                    clusters:
                    - {name: it, cluster: {server: "https://127.0.0.1:%d", certificate-authority: authority.pem}}
                    users:
                    - {name: it, user: {client-certificate: client.pem, client-key: client.key}}
                    """.formatted(server.getAddress().getPort()));
        connection = new ClusterConnection(
                new ClusterDefinition(
                        "it", new ClusterAccess.Ambient(Optional.of(kubeconfig), Optional.empty()), Optional.empty()),
                executor,
                new SimpleMeterRegistry(),
                now::get);
        assertThat(ask()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        connection.close();
        server.stop(0);
        executor.shutdownNow();
    }

    @Test
    void givenOurCertificateIsRefused_whenItsFilesAreExchanged_thenTheServerIsReachedAgain() throws Exception {
        restart(former, latter);
        assertThatIOException().isThrownBy(this::ask);

        describe(former, latter);
        awaitAnswer();
    }

    @Test
    void givenTheServersCertificateIsNotTrusted_whenTheAuthorityIsExchanged_thenTheServerIsReachedAgain()
            throws Exception {
        restart(latter, former);
        assertThatIOException().isThrownBy(this::ask);

        describe(latter, former);
        awaitAnswer();
    }

    private void awaitAnswer() {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    now.updateAndGet(last -> last.plusSeconds(11)); // longer than credentials are left alone
                    return ask() == 200;
                });
    }

    private int ask() throws IOException, InterruptedException {
        try (Answer answer = connection.open("get", "version", Duration.ofSeconds(10))) {
            return answer.status();
        }
    }

    private void restart(Certificates its, Certificates wanted) throws Exception {
        int port = server.getAddress().getPort();
        server.stop(0);
        server = serve(port, its, wanted);
    }

    /** Writes what the kubeconfig names. */
    private void describe(Certificates ofServer, Certificates ours) throws IOException, GeneralSecurityException {
        KeyStore store = ours.keyStore();
        Files.writeString(folder.resolve("authority.pem"), ofServer.authorityPem());
        Files.writeString(
                folder.resolve("client.pem"),
                pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()));
        var key = (ECPrivateKey) store.getKey(ALIAS, Certificates.PASSWORD.toCharArray());
        var named = new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), SECObjectIdentifiers.secp256r1);
        Files.writeString(folder.resolve("client.key"), pem("EC PRIVATE KEY", named.getEncoded()));
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + what + "-----\n";
    }

    /** Answers everything by nothing, to clients whose certificate is of an authority. */
    private static HttpsServer serve(int port, Certificates its, Certificates wanted)
            throws IOException, GeneralSecurityException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(its.keyStore(), Certificates.PASSWORD.toCharArray());
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        authorities.setCertificateEntry("authority", wanted.keyStore().getCertificateChain(ALIAS)[1]);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters strict = context.getDefaultSSLParameters();
                strict.setNeedClientAuth(true);
                parameters.setSSLParameters(strict);
            }
        });
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
