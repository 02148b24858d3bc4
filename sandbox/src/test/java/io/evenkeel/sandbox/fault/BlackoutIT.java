package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import io.evenkeel.sandbox.fault.rule.Darkness;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Verb;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlackoutIT {
    private static final String WATCH = TinyUpstream.COLLECTION + "?watch=true";

    private final TinyUpstream upstream = new TinyUpstream();
    private final FaultProxy proxy = FaultProxy.before(upstream.address()).start();

    @AfterEach
    void stop() {
        proxy.close();
        upstream.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenABlackHole_whenItEnds_thenWhatWaitedArrivesOnTheSameConnections(HttpClient.Version version)
            throws Exception {
        try (PlainClient client = PlainClient.of(proxy, version);
                PlainClient.Watch watch = client.watch(WATCH)) {
            upstream.change();
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(1));

            proxy.blackout(Darkness.SILENT);
            upstream.change(2);

            assertThatThrownBy(() -> client.get("/version", Duration.ofMillis(300)))
                    .isInstanceOf(HttpTimeoutException.class);
            assertThat(watch.revisions()).containsExactly(1);
            assertThat(watch.end()).isEqualTo("open");

            proxy.restore();

            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(1, 2, 3));
            assertThat(client.get("/version").statusCode()).isEqualTo(203);
        }
    }

    @Test
    void givenABlackHole_whenConnecting_thenItIsAcceptedAndNotEvenTlsAnswers() throws Exception {
        proxy.blackout(Darkness.SILENT);
        try (Socket socket = new Socket()) {
            socket.connect(LoopbackPorts.address(proxy.url().getPort()));
            socket.setSoTimeout(300);
            socket.getOutputStream().write(new byte[] {22, 3, 1, 0, 5, 1, 0, 0, 1, 0});
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenAServerThatRefuses_whenItComesBack_thenOpenWatchesAreBrokenAndTheAddressIsTheSame(
            HttpClient.Version version) throws Exception {
        try (PlainClient client = PlainClient.of(proxy, version);
                PlainClient.Watch watch = client.watch(WATCH)) {
            proxy.blackout(Darkness.REFUSED);

            await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("broken"));
            assertThatThrownBy(() -> client.get("/version")).isInstanceOf(ConnectException.class);

            proxy.restore();

            assertThat(client.get("/version").statusCode()).isEqualTo(203);
        }
    }

    @Test
    void givenAServerThatRefuses_whenItComesBackAtOnce_thenItListensEachTime() throws Exception {
        try (PlainClient client = PlainClient.of(proxy)) {
            for (int blackout = 0; blackout < 50; blackout++) {
                proxy.blackout(Darkness.REFUSED);
                proxy.restore();
            }
            assertThat(client.get("/version").statusCode()).isEqualTo(203);
        }
    }

    @ParameterizedTest
    @EnumSource(Darkness.class)
    void givenARuleOfABlackout_whenItsTimeIsUp_thenTheClusterIsBackByItself(Darkness darkness) throws Exception {
        proxy.add(Rule.named("dark")
                .verbs(Verb.LIST)
                .nth(2)
                .then(new Fault.Blackout(darkness, Optional.of(Duration.ofMillis(400)))));
        try (PlainClient client = PlainClient.of(proxy)) {
            assertThat(client.get(TinyUpstream.COLLECTION).statusCode()).isEqualTo(200);
            long start = System.nanoTime();
            switch (darkness) {
                case SILENT ->
                    assertThat(client.get(TinyUpstream.COLLECTION).statusCode()).isEqualTo(200);
                case REFUSED ->
                    assertThatThrownBy(() -> client.get(TinyUpstream.COLLECTION))
                            .isInstanceOf(IOException.class);
            }
            await().ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(client.get("/version").statusCode()).isEqualTo(203));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
        }
        assertThat(proxy.counts()).containsEntry("dark", new RuleCount(2, 1, 1));
    }

    @Test
    void givenTwoClusters_whenOneIsDark_thenTheOtherAnswers() throws Exception {
        try (FaultProxy other =
                        FaultProxy.before(upstream.address().named("other")).start();
                PlainClient client = PlainClient.of(other)) {
            proxy.blackout(Darkness.SILENT);
            assertThat(client.get("/version").statusCode()).isEqualTo(203);
        }
    }

    @Test
    void givenABlackout_whenTheProxyIsClosed_thenItsPortIsFree() {
        proxy.blackout(Darkness.SILENT);
        int port = proxy.url().getPort();
        proxy.close();
        assertThat(LoopbackPorts.isFree(port)).isTrue();
    }

    @Test
    void givenAPortInUse_whenStarted_thenTheMessageNamesIt() {
        FaultProxy.Builder onSamePort =
                FaultProxy.before(upstream.address()).port(proxy.url().getPort());
        assertThatThrownBy(onSamePort::start)
                .isInstanceOf(PortTakenException.class)
                .hasMessageContaining("fault proxy")
                .hasMessageContaining(String.valueOf(proxy.url().getPort()));
    }
}
