package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WatchFaultsIT {
    private static final String WATCH = TinyUpstream.COLLECTION + "?watch=true";

    private final TinyUpstream upstream = new TinyUpstream();
    private final FaultProxy proxy = FaultProxy.before(upstream.address()).start();

    @AfterEach
    void stop() {
        proxy.close();
        upstream.close();
    }

    @Test
    void givenRulesOnFrames_whenSeveralHitOneWatch_thenAllAreDoneInTheirOrder() throws Exception {
        proxy.add(Rule.named("drop").then(new Fault.DropFrames(Trigger.nth(2))));
        proxy.add(Rule.named("twice").then(new Fault.DuplicateFrames(Trigger.nth(1))));
        proxy.add(Rule.named("swap").then(new Fault.SwapFrames(Trigger.nth(3))));
        upstream.change(5);
        try (PlainClient client = PlainClient.of(proxy);
                PlainClient.Watch watch = client.watch(WATCH)) {
            // 1 2 3 4 5 → 1 3 4 5 → 1 1 3 4 5 → 1 1 4 3 5
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(1, 1, 4, 3, 5));
        }
        assertThat(List.of(proxy.happened("drop"), proxy.happened("twice"), proxy.happened("swap")))
                .containsOnly(1L);
    }

    @Test
    void givenDelayedFrames_whenTheyPass_thenThoseBehindWaitToo() throws Exception {
        proxy.add(
                Rule.named("late").then(new Fault.DelayFrames(Trigger.nth(1), Duration.ofMillis(300), Duration.ZERO)));
        upstream.change(3);
        try (PlainClient client = PlainClient.of(proxy)) {
            long start = System.nanoTime();
            try (PlainClient.Watch watch = client.watch(WATCH)) {
                await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(1, 2, 3));
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            }
        }
        assertThat(proxy.happened("late")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(WatchEnd.class)
    void givenAWatchThatEndsEarly_whenTwoFramesHavePassed_thenTheClientSeesTwoFramesAndThatEnd(WatchEnd end)
            throws Exception {
        proxy.add(Rule.named("end").nth(1).then(Fault.endAfter(2, end)));
        upstream.change(3);
        try (PlainClient client = PlainClient.of(proxy);
                PlainClient.Watch watch = client.watch(WATCH)) {
            await().untilAsserted(() -> {
                assertThat(watch.end()).isEqualTo(endSeen(end));
                if (end == WatchEnd.CUT) {
                    // what is in flight when a connection breaks may be lost with it
                    assertThat(watch.revisions()).isIn(List.of(), List.of(1), List.of(1, 2));
                } else {
                    assertThat(watch.revisions()).containsExactly(1, 2);
                    assertThat(watch.lines()).hasSize(linesSeen(end));
                }
            });
            switch (end) {
                case EXPIRED -> assertThat(watch.lines().get(2)).contains("\"type\":\"ERROR\"", "\"code\":410");
                case UNAUTHORIZED -> assertThat(watch.lines().get(2)).contains("\"type\":\"ERROR\"", "\"code\":401");
                case GARBAGE -> assertThat(watch.lines().get(2)).startsWith("}{");
                case HALF_FRAME ->
                    assertThat(watch.lines().get(2)).startsWith("{\"type\"").doesNotEndWith("}");
                case SILENCE -> {
                    upstream.change();
                    await().during(Duration.ofMillis(300))
                            .untilAsserted(() -> assertThat(watch.lines()).hasSize(2));
                }
                case CLOSE, CUT -> {}
            }
            try (PlainClient.Watch next = client.watch(WATCH)) {
                await().untilAsserted(() -> assertThat(next.revisions()).startsWith(1, 2, 3));
            }
        }
        assertThat(proxy.counts()).containsEntry("end", new RuleCount(2, 1, 1));
    }

    private static String endSeen(WatchEnd end) {
        return switch (end) {
            case CLOSE, HALF_FRAME, GARBAGE, EXPIRED, UNAUTHORIZED -> "closed";
            case CUT -> "broken";
            case SILENCE -> "open";
        };
    }

    private static int linesSeen(WatchEnd end) {
        return switch (end) {
            case HALF_FRAME, GARBAGE, EXPIRED, UNAUTHORIZED -> 3;
            case CLOSE, CUT, SILENCE -> 2;
        };
    }

    @Test
    void givenAWatchThatExpiresAtOnce_whenOpened_thenItIs200AndThenAnErrorFrame() throws Exception {
        proxy.add(Rule.named("expired").then(Fault.endAfter(0, WatchEnd.EXPIRED)));
        try (PlainClient client = PlainClient.of(proxy);
                PlainClient.Watch watch = client.watch(WATCH)) {
            assertThat(watch.status).isEqualTo(200);
            await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("closed"));
            assertThat(watch.lines()).singleElement().asString().contains("\"reason\":\"Expired\"");
        }
    }

    @Test
    void givenACutWatch_whenOthersShareItsConnection_thenTheyBreakWithIt() throws Exception {
        proxy.add(Rule.named("cut").nth(1).then(Fault.endAfter(1, WatchEnd.CUT)));
        try (PlainClient client = PlainClient.of(proxy, HttpClient.Version.HTTP_2)) {
            assertThat(client.get("/version").statusCode()).isEqualTo(203); // so that there is one connection
            try (PlainClient.Watch cut = client.watch(WATCH);
                    PlainClient.Watch other = client.watch(WATCH)) {
                upstream.change();
                await().untilAsserted(() ->
                        assertThat(List.of(cut.end(), other.end())).containsOnly("broken"));
            }
        }
    }
}
