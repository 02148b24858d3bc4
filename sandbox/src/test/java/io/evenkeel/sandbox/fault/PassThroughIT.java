package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.upstream.Upstream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PassThroughIT {
    private final TinyUpstream upstream = new TinyUpstream();
    private final FaultProxy proxy = FaultProxy.before(upstream.address()).start();

    @AfterEach
    void stop() {
        proxy.close();
        upstream.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenNoRules_whenBytesPassInBothDirections_thenNoneIsChanged(HttpClient.Version version) throws Exception {
        byte[] body = new byte[700_000];
        new SplittableRandom(1).nextBytes(body);
        try (PlainClient client = PlainClient.of(proxy, version)) {
            HttpResponse<byte[]> answer = client.send(client.request("/echo")
                    .header("X-Mine", "kept")
                    .header("X-Mine", "twice")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body)));

            assertThat(answer.version()).isEqualTo(version);
            assertThat(answer.statusCode()).isEqualTo(203);
            assertThat(answer.body()).isEqualTo(body);
            assertThat(answer.headers().allValues("X-Two")).containsExactly("one", "two");
            assertThat(answer.headers().allValues("Echo-X-Mine")).containsExactly("kept", "twice");
        }
    }

    @Test
    void givenAPathThatIsEncoded_whenItPasses_thenTheServerGetsItAsItWasSent() throws Exception {
        String path = "/echo/system%3Anode/a%2Fb?labelSelector=a%20in%20%28b%2Cc%29&x=%2B+";
        try (PlainClient client = PlainClient.of(proxy)) {
            assertThat(client.text(path)).isEqualTo(path);
        }
    }

    @Test
    void givenAServerBelowAPath_whenAskedThroughTheProxy_thenThePathStandsInFront() throws Exception {
        Upstream below = new Upstream(
                "local",
                URI.create(upstream.address().server() + "/clusters/eu-1/"),
                upstream.address().trust(),
                upstream.address().identity());
        try (FaultProxy front = FaultProxy.before(below).start();
                PlainClient client = PlainClient.of(front)) {
            assertThat(client.text("/version")).isEqualTo("/clusters/eu-1/version");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenAnIdleWatch_whenItIsOpened_thenItsHeadArrivesBeforeAnyFrame(HttpClient.Version version) throws Exception {
        try (PlainClient client = PlainClient.of(proxy, version);
                PlainClient.Watch watch = client.watch(TinyUpstream.COLLECTION + "?watch=true")) {
            assertThat(watch.status).isEqualTo(200);
            upstream.change(3);
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(1, 2, 3));
        }
    }

    @Test
    void givenAWatch_whenFramesPass_thenTheProxyAddsLessThanAMillisecond() throws Exception {
        try (FaultProxy second = FaultProxy.before(Upstream.at(proxy.url()).trusting(proxy.certificatePem()))
                        .start();
                PlainClient direct = PlainClient.of(proxy);
                PlainClient further = PlainClient.of(second)) {
            // The same watch through one proxy and through two: the difference is what one adds. Of many rounds in
            // turn, the tenth that was least disturbed by what else this machine does.
            long[] once = new long[200];
            long[] twice = new long[200];
            try (InputStream one =
                            direct.open(TinyUpstream.COLLECTION + "?watch=true").body();
                    InputStream two = further.open(TinyUpstream.COLLECTION + "?watch=true")
                            .body()) {
                for (int round = -100; round < once.length; round++) { // the first hundred warm up
                    long nanosOnce = nanosOfOneFrame(one, two);
                    long nanosTwice = nanosOfOneFrame(two, one);
                    if (round >= 0) {
                        once[round] = nanosOnce;
                        twice[round] = nanosTwice;
                    }
                }
            }
            Arrays.sort(once);
            Arrays.sort(twice);
            assertThat(Duration.ofNanos(twice[20] - once[20])).isLessThan(Duration.ofMillis(1));
        }
    }

    private long nanosOfOneFrame(InputStream timed, InputStream other) throws IOException {
        byte[] buffer = new byte[100_000];
        while (timed.available() > 0) {
            assertThat(timed.read(buffer)).isPositive();
        }
        long start = System.nanoTime();
        upstream.change();
        assertThat(timed.read(buffer)).isPositive();
        long nanos = System.nanoTime() - start;
        assertThat(other.read(buffer)).isPositive(); // the same frame, so that both streams are as busy
        return nanos;
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenAClientThatDoesNotRead_whenTheServerFloods_thenTheServerIsHeldBack(HttpClient.Version version)
            throws Exception {
        try (PlainClient client = PlainClient.of(proxy, version);
                InputStream unread = client.open("/flood").body()) {
            await().during(Duration.ofMillis(500))
                    .atMost(Duration.ofSeconds(20))
                    .until(upstream::floodedBytes, new Unchanged());
            assertThat(upstream.floodedBytes()).isLessThan(64 << 20);
            assertThat(client.get("/echo").statusCode()).isEqualTo(203); // others are not
            assertThat(unread.read()).isZero();
        }
    }

    /** True if the value is that of the look before. */
    private static final class Unchanged extends org.hamcrest.BaseMatcher<Integer> {
        private Object before = -1;

        @Override
        public boolean matches(Object now) {
            boolean same = now.equals(before);
            before = now;
            return same;
        }

        @Override
        public void describeTo(org.hamcrest.Description description) {
            description.appendText("a number that no longer grows");
        }
    }

    @Test
    void givenAWatch_whenTheClientLeaves_thenTheServerIsLeftToo() throws Exception {
        try (PlainClient client = PlainClient.of(proxy)) {
            PlainClient.Watch watch = client.watch(TinyUpstream.COLLECTION + "?watch=true");
            await().until(() -> upstream.openWatches() == 1);
            watch.close();
            await().until(() -> {
                upstream.change(); // a tiny server notices only then
                return upstream.openWatches() == 0;
            });
        }
    }

    @Test
    void givenAWatch_whenAnotherRequestOfTheSameConnectionIsGivenUp_thenTheWatchGoesOn() throws Exception {
        proxy.add(Rule.named("mute").path("/mute").then(new Fault.NoAnswer()));
        try (PlainClient client = PlainClient.of(proxy);
                PlainClient.Watch watch = client.watch(TinyUpstream.COLLECTION + "?watch=true")) {
            assertThatThrownBy(() -> client.get("/mute", Duration.ofMillis(200)))
                    .isInstanceOf(HttpTimeoutException.class);
            upstream.change();
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(1));
            assertThat(watch.end()).isEqualTo("open");
            assertThat(proxy.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenAServerThatIsGone_whenAsked_thenTheConnectionBreaksAndNothingIsAnswered(HttpClient.Version version) {
        upstream.close();
        try (PlainClient client = PlainClient.of(proxy, version)) {
            assertThatThrownBy(() -> client.get("/version")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void givenAnUpgrade_whenAsked_thenTheProxySaysThatItCannot() throws Exception {
        String answer = RawHttp.exchange(proxy, """
            GET /api/v1/namespaces/shop/pods/p/exec HTTP/1.1\r
            Host: localhost\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            \r
            """);
        assertThat(answer).startsWith("HTTP/1.1 501").contains("does not pass");
        assertThat(upstream.requests()).isEmpty();
    }
}
