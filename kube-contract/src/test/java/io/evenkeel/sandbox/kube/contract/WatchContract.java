package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Watch. */
interface WatchContract extends Contract {
    @Test
    default void givenAPosition_whenWatched_thenEveryLaterChangeInOrder() {
        String ns = namespace();
        Reply first = created(leases(ns), lease("a"));
        created(leases(ns), lease("b"));
        try (var watch = api().watch(leases(ns) + "?watch=1&resourceVersion=" + first.version())) {
            Contract.ok(api().merge(leases(ns) + "/a", "{'spec':{'holderIdentity':'you'}}"));
            Contract.ok(api().delete(leases(ns) + "/b"));

            assertThat(watch.code()).isEqualTo(200);
            assertThat(watch.nextLine()).isEqualTo("ADDED b");
            assertThat(watch.nextLine()).isEqualTo("MODIFIED a");
            assertThat(watch.nextLine()).isEqualTo("DELETED b");
        }
    }

    @Test
    default void givenNoPosition_whenWatched_thenPresentObjectsComeFirst() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        try (var watch = api().watch(leases(ns) + "?watch=1")) {
            assertThat(watch.nextLine()).isEqualTo("ADDED a");
            created(leases(ns), lease("b"));
            assertThat(watch.nextLine()).isEqualTo("ADDED b");
        }
    }

    @Test
    default void givenPositionZero_whenWatched_thenPresentObjectsComeFirst() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        try (var watch = api().watch(leases(ns) + "?watch=1&resourceVersion=0")) {
            assertThat(watch.nextLine()).isEqualTo("ADDED a");
        }
    }

    @Test
    default void givenAFrame_whenRead_thenItHoldsTheWholeObjectWithItsKind() {
        String ns = namespace();
        try (var watch = api().watch(leases(ns) + "?watch=1")) {
            Reply made = created(leases(ns), lease("a"));

            JsonNode object = watch.next().path("object");
            assertThat(Json.text(object, "kind")).isEqualTo("Lease");
            assertThat(Json.text(object, "apiVersion")).isEqualTo("coordination.k8s.io/v1");
            assertThat(Json.same(object, made.body())).isTrue();
        }
    }

    @Test
    default void givenADeletion_whenWatched_thenTheLastStateUnderTheVersionOfTheDeletion() {
        String ns = namespace();
        Reply made = created(leases(ns), lease("a"));
        try (var watch = api().watch(leases(ns) + "?watch=1&resourceVersion=" + made.version())) {
            Contract.ok(api().delete(leases(ns) + "/a"));

            JsonNode frame = watch.next();
            assertThat(Json.text(frame, "type")).isEqualTo("DELETED");
            assertThat(Json.text(frame, "object", "metadata", "uid")).isEqualTo(made.uid());
            assertThat(Long.parseLong(Json.text(frame, "object", "metadata", "resourceVersion")))
                    .isGreaterThan(Long.parseLong(made.version()));
        }
    }

    @Test
    @Waits
    default void givenATimeout_whenItIsOver_thenTheStreamEnds() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        try (var watch = api().watch(leases(ns) + "?watch=1&timeoutSeconds=1")) {
            assertThat(watch.linesToEnd()).containsExactly("ADDED a");
        }
    }

    @Test
    default void givenInitialEvents_whenWatched_thenABookmarkMarksTheirEnd() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        created(leases(ns), lease("b"));
        try (var watch = api().watch(leases(ns)
                + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            assertThat(watch.nextLine()).isEqualTo("ADDED a");
            assertThat(watch.nextLine()).isEqualTo("ADDED b");
            JsonNode bookmark = watch.next();
            assertThat(Json.text(bookmark, "type")).isEqualTo("BOOKMARK");
            assertThat(Json.text(bookmark, "object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
            assertThat(Json.text(bookmark, "object", "metadata", "resourceVersion"))
                    .isNotEmpty();
            created(leases(ns), lease("c"));
            assertThat(watch.nextLine()).isEqualTo("ADDED c");
        }
    }

    @Test
    default void givenInitialEventsWithoutAMatch_whenWatched_thenRefused() {
        Reply reply = api().get(leases("default") + "?watch=1&sendInitialEvents=true");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }

    @Test
    @Waits
    default void givenInitialEventsFromTheFuture_whenWatched_thenAnErrorFrame() {
        try (var watch = api().watch(leases("default")
                + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                + "&resourceVersion=99999999")) {
            JsonNode frame = watch.next();
            assertThat(watch.code()).isEqualTo(200);
            assertThat(Json.text(frame, "type")).isEqualTo("ERROR");
            assertThat(frame.at("/object/code").intValue()).isEqualTo(504);
            assertThat(frame.at("/object/details/causes/0/reason").stringValue())
                    .isEqualTo("ResourceVersionTooLarge");
        }
    }

    @Test
    @Waits
    default void givenAPositionOfTheFuture_whenWatched_thenSilence() {
        String ns = namespace();
        String path = leases(ns) + "?watch=1&resourceVersion=99999999&allowWatchBookmarks=true&timeoutSeconds=4";
        try (var watch = api().watch(path)) {
            created(leases(ns), lease("a"));

            assertThat(watch.code()).isEqualTo(200);
            assertThat(watch.linesToEnd()).isEmpty();
        }
    }

    @Test
    default void givenAPositionThatIsNoNumber_whenWatched_thenError() {
        Reply reply = api().get(leases("default") + "?watch=1&resourceVersion=abc");

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message()).contains("Invalid value: \"abc\"");
    }

    @Test
    default void givenALabelSelector_whenAnObjectLeavesTheSelection_thenDeleted() {
        String ns = namespace();
        try (var watch = api().watch(leases(ns) + "?watch=1&labelSelector=x=y")) {
            created(leases(ns), lease("out"));
            created(leases(ns), lease("in", ",'labels':{'x':'y'}"));
            Contract.ok(api().merge(leases(ns) + "/in", "{'spec':{'holderIdentity':'you'}}"));
            Reply left = Contract.ok(api().merge(leases(ns) + "/in", "{'metadata':{'labels':{'x':'z'}}}"));
            Contract.ok(api().merge(leases(ns) + "/out", "{'metadata':{'labels':{'x':'y'}}}"));

            assertThat(watch.nextLine()).isEqualTo("ADDED in");
            assertThat(watch.nextLine()).isEqualTo("MODIFIED in");
            JsonNode frame = watch.next();
            assertThat(Json.text(frame, "type")).isEqualTo("DELETED");
            assertThat(Json.text(frame, "object", "metadata", "labels", "x")).isEqualTo("y");
            assertThat(Json.text(frame, "object", "metadata", "resourceVersion"))
                    .isEqualTo(left.version());
            assertThat(watch.nextLine()).isEqualTo("ADDED out");
        }
    }

    @Test
    default void givenAFieldSelector_whenWatched_thenOnlyThatObject() {
        String ns = namespace();
        try (var watch = api().watch(leases(ns) + "?watch=1&fieldSelector=metadata.name=b")) {
            created(leases(ns), lease("a"));
            created(leases(ns), lease("b"));

            assertThat(watch.nextLine()).isEqualTo("ADDED b");
        }
    }

    @Test
    @Waits
    default void givenBookmarks_whenTheTimeoutIsNear_thenABookmark() {
        String ns = namespace();
        String version = created(leases(ns), lease("a")).version();
        String path = leases(ns) + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=8&resourceVersion=" + version;

        // A busy server may end a watch before its bookmark was due, so that one watch proves nothing.
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            try (var watch = api().watch(path)) {
                JsonNode frame = watch.next();
                assertThat(Json.text(frame, "type")).isEqualTo("BOOKMARK");
                assertThat(Json.text(frame, "object", "kind")).isEqualTo("Lease");
                assertThat(Long.parseLong(Json.text(frame, "object", "metadata", "resourceVersion")))
                        .isGreaterThanOrEqualTo(Long.parseLong(version));
            }
        });
    }

    @Test
    default void givenMetadataOnly_whenWatched_thenPartialObjects() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        try (var watch =
                api().watch(leases(ns) + "?watch=1", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")) {
            JsonNode object = watch.next().path("object");
            assertThat(Json.text(object, "kind")).isEqualTo("PartialObjectMetadata");
            assertThat(object.has("spec")).isFalse();
        }
    }

    @Test
    default void givenATable_whenWatched_thenColumnsOnlyInTheFirstFrame() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        created(leases(ns), lease("b"));
        try (var watch = api().watch(leases(ns) + "?watch=1", "application/json;as=Table;g=meta.k8s.io;v=v1")) {
            JsonNode first = watch.next().path("object");
            JsonNode second = watch.next().path("object");
            assertThat(first.path("columnDefinitions").isEmpty()).isFalse();
            assertThat(second.path("columnDefinitions").isEmpty()).isTrue();
            assertThat(second.at("/rows/0/cells/0").stringValue()).isEqualTo("b");
        }
    }

    @Test
    default void givenAWriteThatChangesNothing_whenWatched_thenNoFrame() {
        String ns = namespace();
        Reply made = created(leases(ns), lease("a"));
        try (var watch = api().watch(leases(ns) + "?watch=1&resourceVersion=" + made.version())) {
            Reply same = Contract.ok(api().merge(leases(ns) + "/a", "{'spec':{'holderIdentity':'me'}}"));
            created(leases(ns), lease("b"));

            assertThat(same.version()).isEqualTo(made.version());
            assertThat(watch.nextLine()).isEqualTo("ADDED b");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&resourceVersion=0"})
    default void givenNoInitialEvents_whenWatched_thenOnlyWhatComes(String version) {
        String ns = namespace();
        created(leases(ns), lease("a"));
        try (var watch = api().watch(
                        leases(ns) + "?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan" + version)) {
            assertThat(watch.code()).isEqualTo(200);
            created(leases(ns), lease("b"));
            assertThat(watch.nextLine()).isEqualTo("ADDED b");
        }
    }

    /** Never as the status of the answer, whatever else is asked for: whoever waits for that waits in vain. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&allowWatchBookmarks=true",
                "&timeoutSeconds=5",
                "&labelSelector=app=web",
                "&fieldSelector=metadata.name=a"
            })
    default void givenAForgottenPosition_whenWatched_thenAnErrorFrame(String options) {
        forgetHistory();
        try (var watch = api().watch(Contract.widgets("default") + "?watch=1&resourceVersion=1" + options)) {
            JsonNode frame = watch.next();

            assertThat(watch.code()).isEqualTo(200);
            assertThat(Json.text(frame, "type")).isEqualTo("ERROR");
            assertThat(frame.at("/object/code").intValue()).isEqualTo(410);
            assertThat(Json.text(frame, "object", "reason")).isEqualTo("Expired");
            assertThat(Json.text(frame, "object", "message")).startsWith("too old resource version: 1 (");
            assertThat(watch.nextLine()).isEqualTo("END");
        }
    }

    /** See {@link ListContract}. */
    void forgetHistory();

    @Test
    default void givenInitialEventsAndASelector_whenWatched_thenOnlyTheSelectedBeforeTheMark() {
        String ns = namespace();
        created(leases(ns), lease("in", ",'labels':{'x':'y'}"));
        created(leases(ns), lease("out"));
        try (var watch = api().watch(leases(ns)
                + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                + "&labelSelector=x=y")) {
            assertThat(watch.nextLine()).isEqualTo("ADDED in");
            assertThat(Json.text(watch.next(), "type")).isEqualTo("BOOKMARK");
        }
    }

    @Test
    default void givenASelection_whenAnObjectOutsideGoes_thenNoFrame() {
        String ns = namespace();
        created(leases(ns), lease("out"));
        try (var watch = api().watch(leases(ns) + "?watch=1&labelSelector=x=y")) {
            Contract.ok(api().delete(leases(ns) + "/out"));
            created(leases(ns), lease("in", ",'labels':{'x':'y'}"));

            assertThat(watch.nextLine()).isEqualTo("ADDED in");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sendInitialEvents=true&resourceVersionMatch=Exact | [resourceVersionMatch: Forbidden:"
                    + " sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch:"
                    + " Unsupported value: \"Exact\": supported values: \"NotOlderThan\"]",
                "resourceVersion=5&resourceVersionMatch=NotOlderThan | resourceVersionMatch: Forbidden:"
                        + " resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
                "continue=x | resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is"
                        + " provided",
            })
    default void givenOptionsThatDoNotFit_whenWatched_thenRefused(String options, String complaint) {
        Reply reply = api().get(leases("default") + "?watch=1&" + options);

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: " + complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"watch=true", "watch=1", "watch", "watch=yes"})
    default void givenAnythingButNo_whenAskedToWatch_thenAWatch(String flag) {
        String ns = namespace();
        created(leases(ns), lease("a"));
        try (var watch = api().watch(leases(ns) + "?timeoutSeconds=1&" + flag)) {
            assertThat(watch.nextLine()).isEqualTo("ADDED a");
        }
        assertThat(api().get(leases(ns) + "?watch=false").text("kind")).isEqualTo("LeaseList");
        assertThat(api().get(leases(ns) + "?watch=0").text("kind")).isEqualTo("LeaseList");
    }
}
