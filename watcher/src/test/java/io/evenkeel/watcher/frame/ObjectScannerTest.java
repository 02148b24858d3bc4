package io.evenkeel.watcher.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Actor;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectScannerTest {
    private static final ObjectScanner SCANNER = new ObjectScanner("apps/v1", "Deployment", Optional.empty());
    private static final String NAMED = "\"name\":\"web\",\"uid\":\"u-1\",\"resourceVersion\":\"12\"";
    private static final String FIELDS =
            "\"managedFields\":[{\"manager\":\"kubectl\",\"operation\":\"Apply\",\"apiVersion\":\"v1\","
                + "\"time\":\"2026-11-30T09:14:02Z\",\"fieldsV1\":{\"f:a\":{\"f:b\":{}}},\"subresource\":\"status\"}]";

    @Test
    void givenListItem_whenScanned_thenKindAndApiVersionAreFilledIn() {
        ScannedObject object =
                scan("{\"metadata\":{" + NAMED + ",\"namespace\":\"shop\",\"generation\":4},\"spec\":{}}");
        assertThat(object.apiVersion()).isEqualTo("apps/v1");
        assertThat(object.version()).isEqualTo("v1");
        assertThat(object.kind()).isEqualTo("Deployment");
        assertThat(object.namespace()).isEqualTo("shop");
        assertThat(object.generation()).contains(4L);
        assertThat(text(object))
                .isEqualTo("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{" + NAMED
                        + ",\"namespace\":\"shop\",\"generation\":4},\"spec\":{}}");
    }

    @Test
    void givenFrameObject_whenScanned_thenItsBytesStayAsTheyAre() {
        String json = "{ \"kind\":\"X\", \"apiVersion\":\"v1\",\"metadata\":{" + NAMED
                + "},\"spec\":{\"n\":1.50,\"t\":\"\\u00e4ö\"}}";
        assertThat(text(scan(json))).isEqualTo(json.replaceFirst(" ", " "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "middle", "last", "only"})
    void givenManagedFieldsAnywhere_whenScanned_thenTheyAreCutAndKeptAsActors(String place) {
        String metadata = switch (place) {
            case "first" -> FIELDS + "," + NAMED;
            case "middle" -> NAMED + "," + FIELDS + ",\"labels\":{\"a\":\"b\"}";
            case "last" -> NAMED + "," + FIELDS;
            default -> NAMED + " , " + FIELDS + " ";
        };
        ScannedObject object = scan("{\"metadata\":{" + metadata + "},\"spec\":{}}");
        assertThat(Json.mapper().readTree(object.json()).path("metadata").has("managedFields"))
                .isFalse();
        assertThat(Json.mapper()
                        .readTree(object.json())
                        .path("metadata")
                        .path("name")
                        .asString())
                .isEqualTo("web");
        assertThat(object.actors())
                .containsExactly(new Actor(
                        "kubectl", "Apply", Optional.of("status"), Optional.of(Instant.parse("2026-11-30T09:14:02Z"))));
    }

    @Test
    void givenChangeInOneSection_whenCompared_thenOnlyItIsNamed() {
        String before = "{\"metadata\":{" + NAMED + ",\"labels\":{\"a\":\"b\"}},\"spec\":{\"n\":1},\"status\":{}}";
        assertChanged(before, before.replace("\"n\":1", "\"n\":2"), "spec");
        assertChanged(before, before.replace("\"status\":{}", "\"status\":{\"x\":null}"), "status");
        assertChanged(before, before.replace("\"a\":\"b\"", "\"a\":\"c\""), "metadata.labels");
        assertChanged(before, before.replace(",\"status\":{}", ""), "status");
        assertChanged(
                before,
                before.replace("},\"spec\"", ",\"annotations\":{\"x\":\"y\"}},\"spec\""),
                "metadata.annotations");
        assertChanged(before, before.replace("},\"spec\"", ",\"finalizers\":[\"x\"]},\"spec\""), "metadata.finalizers");
        assertChanged(
                before, before.replace("},\"spec\"", ",\"ownerReferences\":[]},\"spec\""), "metadata.ownerReferences");
        assertChanged(
                before,
                before.replace("},\"spec\"", ",\"deletionTimestamp\":\"2026-11-30T09:14:02Z\"},\"spec\""),
                "metadata.deletionTimestamp");
        assertChanged(
                before, before.replace("{\"metadata\"", "{\"rules\":[{\"verbs\":[\"get\"]}],\"metadata\""), "data");
        assertChanged(before, before.replace("\"12\"", "\"13\""));
    }

    @Test
    void givenFieldsThatAreNoSections_whenTheyAreScalars_thenTheyCountAsData() {
        String before = "{\"metadata\":{" + NAMED + "},\"type\":\"Opaque\",\"immutable\":true,\"n\":12}";
        assertThat(scan(before).hashes().present()).containsExactly("data");
        assertChanged(before, before.replace("true", "false"), "data");
        assertChanged(before, before.replace("Opaque", "Other"), "data");
        assertChanged(before, before.replace("\"n\":12}", "\"n\":13}"), "data");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "{\"metadata\":{\"name\":\"web\"}}",
                "{\"metadata\":{\"name\":\"web\",\"uid\":\"u\",\"resourceVersion\":\"x\"}}",
                "{\"metadata\":{\"name\":\"hush"
            })
    void givenNoObject_whenScanned_thenTheMessageHoldsNothingOfIt(String json) {
        assertThatExceptionOfType(MalformedFrameException.class)
                .isThrownBy(() -> scan(json))
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("hush", "web"))
                .withNoCause();
    }

    private static void assertChanged(String before, String after, String... sections) {
        assertThat(scan(after).hashes().changedSince(scan(before).hashes())).containsExactly(sections);
    }

    private static ScannedObject scan(String json) {
        // In the middle of a buffer, as frames are.
        byte[] bytes = ("xy" + json + "z").getBytes(UTF_8);
        return SCANNER.scan(bytes, 2, bytes.length - 1);
    }

    private static String text(ScannedObject object) {
        return new String(object.json(), UTF_8);
    }
}
