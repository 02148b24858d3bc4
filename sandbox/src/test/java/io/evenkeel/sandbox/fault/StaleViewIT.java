package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StaleViewIT {
    private static final String COLLECTION = TinyUpstream.COLLECTION;

    private final TinyUpstream upstream = new TinyUpstream();
    private final FaultProxy proxy = FaultProxy.before(upstream.address())
            .rules(Rule.named("stale").resources("configmaps").from(2).then(new Fault.StaleView(2)))
            .start();
    private final PlainClient client = PlainClient.of(proxy);

    /** The first list is the truth, and from there on the past is recorded. */
    @BeforeEach
    void recordFiveChanges() throws Exception {
        upstream.change(3);
        assertThat(list("").path("items").size()).isEqualTo(3);
        upstream.change(2);
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        upstream.close();
    }

    private JsonNode list(String query) throws Exception {
        return Json.mapper().readTree(client.get(COLLECTION + query).body());
    }

    @Test
    void givenAStaleView_whenListed_thenItIsTheCollectionAsItWasBeforeTheNewestChanges() throws Exception {
        JsonNode list = list("?limit=1");
        assertThat(list.path("kind").asString()).isEqualTo("ConfigMapList");
        assertThat(list.path("metadata").path("resourceVersion").asString()).isEqualTo("3");
        assertThat(list.path("items").size()).isEqualTo(3);

        upstream.change();
        await().untilAsserted(() -> assertThat(list("").path("items").size()).isEqualTo(4));
        assertThat(proxy.happened("stale")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void givenAStaleView_whenAskedForMoreThanItHas_thenTheResourceVersionIsTooLarge() throws Exception {
        HttpResponse<byte[]> answer = client.get(COLLECTION + "?resourceVersion=5");
        JsonNode status = Json.mapper().readTree(answer.body());
        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(status.path("reason").asString()).isEqualTo("Timeout");
        assertThat(status.path("details").path("causes").path(0).path("reason").asString())
                .isEqualTo("ResourceVersionTooLarge");
    }

    @Test
    void givenAStaleView_whenWatched_thenTheNewestChangesAreMissingUntilOthersFollow() throws Exception {
        try (PlainClient.Watch watch = client.watch(COLLECTION + "?watch=true&resourceVersion=3")) {
            upstream.change(2);
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(4, 5));
            upstream.change();
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(4, 5, 6));
        }
    }

    @Test
    void givenAStaleWatch_whenTheRuleIsRemoved_thenItEndsAndTheNextOneSeesTheTruth() throws Exception {
        try (PlainClient.Watch watch = client.watch(COLLECTION + "?watch=true&resourceVersion=3")) {
            proxy.remove("stale");
            await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("closed"));
        }
        try (PlainClient.Watch watch = client.watch(COLLECTION + "?watch=true&resourceVersion=3")) {
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(4, 5));
        }
        assertThat(proxy.happened("stale")).isEqualTo(1);
    }

    @Test
    void givenAStaleView_whenWatchedFromNowhere_thenTheStateComesFirst() throws Exception {
        String path = COLLECTION + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true";
        try (PlainClient.Watch watch = client.watch(path)) {
            await().untilAsserted(() -> assertThat(watch.lines()).hasSize(4));
            assertThat(watch.lines().get(3)).contains("BOOKMARK", "k8s.io/initial-events-end");
        }
    }

    @Test
    void givenAStaleViewAndNoBookmarks_whenWatchedFromNowhere_thenNoMarkFollowsTheState() throws Exception {
        try (PlainClient.Watch watch = client.watch(COLLECTION + "?watch=true&sendInitialEvents=true")) {
            upstream.change();
            await().untilAsserted(() -> assertThat(watch.lines()).hasSize(4));
            assertThat(watch.lines().get(3)).contains("ADDED");
        }
    }

    @Test
    void givenAStaleView_whenWatchedWithoutInitialEvents_thenOnlyWhatComes() throws Exception {
        try (PlainClient.Watch watch = client.watch(COLLECTION + "?watch=true&sendInitialEvents=false")) {
            upstream.change(2);
            await().untilAsserted(() -> assertThat(watch.revisions()).containsExactly(4, 5));
        }
    }

    @Test
    void givenAPositionFromBeforeTheRecording_whenWatched_thenItHasExpired() throws Exception {
        try (PlainClient.Watch watch = client.watch(COLLECTION + "?watch=true&resourceVersion=1")) {
            await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("closed"));
            assertThat(watch.lines()).singleElement().asString().contains("ERROR", "\"code\":410");
        }
    }
}
