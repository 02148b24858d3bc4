package io.evenkeel.watcher.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class SecretRedactionTest {
    private static final String SECRET =
            "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"s\",\"uid\":\"u\",\"resourceVersion\":\"3\",\"annotations\":{\"note\":\"plain\",\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"data\\\":{\\\"a\\\":\\\"Y2FuYXJ5\\\"}}\"}},\"data\":{\"a\":\"Y2FuYXJ5\",\"b\":\"Y2FuYXJ5\",\"c\":null},\"stringData\":{\"d\":\"canary\\n"
                + "\"},\"type\":\"Opaque\"}";

    @Test
    void givenSecret_whenScanned_thenNoPayloadIsLeft() {
        ScannedObject object = scan(SECRET, "key-0123456789-a");
        assertThat(new String(object.json(), UTF_8)).doesNotContain("Y2FuYXJ5", "canary");
        JsonNode tree = Json.mapper().readTree(object.json());
        assertThat(tree.path("data").path("a").asString())
                .startsWith("hmac-sha256:")
                .isEqualTo(tree.path("data").path("b").asString());
        assertThat(tree.path("data").path("c").isNull()).isTrue();
        assertThat(tree.path("stringData").path("d").asString()).startsWith("hmac-sha256:");
        assertThat(tree.path("metadata").path("annotations").path("note").asString())
                .isEqualTo("plain");
        assertThat(tree.path("type").asString()).isEqualTo("Opaque");
    }

    @Test
    void givenSamePayload_whenScannedTwice_thenTheHashesAreEqual() {
        assertThat(scan(SECRET, "key-0123456789-a").hashes())
                .isEqualTo(scan(SECRET, "key-0123456789-a").hashes());
    }

    @Test
    void givenOtherPayload_whenCompared_thenDataChanged() {
        String other = SECRET.replace("\"a\":\"Y2FuYXJ5\",", "\"a\":\"b3RoZXI=\",");
        assertThat(scan(other, "key-0123456789-a")
                        .hashes()
                        .changedSince(scan(SECRET, "key-0123456789-a").hashes()))
                .containsExactly("data");
    }

    @Test
    void givenOtherKey_whenScanned_thenNothingCanBeCompared() {
        assertThat(scan(SECRET, "key-0123456789-a").json())
                .isNotEqualTo(scan(SECRET, "key-0123456789-b").json());
    }

    @Test
    void givenPayloadOfWrongShape_whenScanned_thenItIsReplacedAsAWhole() {
        String wrong = SECRET.replace(
                "\"data\":{\"a\":\"Y2FuYXJ5\",\"b\":\"Y2FuYXJ5\",\"c\":null}", "\"data\":[{\"x\":\"Y2FuYXJ5\"}]");
        assertThat(new String(scan(wrong, "key-0123456789-a").json(), UTF_8)).doesNotContain("Y2FuYXJ5");
    }

    private static ScannedObject scan(String json, String key) {
        var scanner = new ObjectScanner("v1", "Secret", Optional.of(new SecretRedaction(key.getBytes(UTF_8))));
        byte[] bytes = (" " + json).getBytes(UTF_8);
        return scanner.scan(bytes, 1, bytes.length);
    }
}
