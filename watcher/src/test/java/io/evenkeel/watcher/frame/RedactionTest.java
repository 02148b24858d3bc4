package io.evenkeel.watcher.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Actor;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class RedactionTest {
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

    @Test
    void givenNoKey_whenSecretsAreAskedFor_thenTheyCannotBeRead() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Redactions(Optional.empty(), List.of()).of("", "secrets"));
        assertThat(new Redactions(Optional.empty(), List.of()).of("", "configmaps"))
                .isEmpty();
    }

    /** What stands at a path is gone, and what stands beside it is untouched. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                ".spec.a          | {'a':'canary','b':'x'}                         | {'a':'#','b':'x'}",
                ".spec.a          | {'a':42017}                                    | {'a':'#'}",
                ".spec.a          | {'a':true}                                     | {'a':'#'}",
                ".spec.a          | {'a':{'deep':['canary']},'b':1}                | {'a':'#','b':1}",
                ".spec.a          | {'a':null,'b':1}                               | {'a':null,'b':1}",
                ".spec.a          | {'b':{'a':'x'}}                                | {'b':{'a':'x'}}",
                ".spec.a.b        | {'a':{'b':'canary','c':'x'}}                   | {'a':{'b':'#','c':'x'}}",
                ".spec.a[*].b     | {'a':[{'b':'canary','c':1},{'b':'canary'},7]}  |"
                        + " {'a':[{'b':'#','c':1},{'b':'#'},'#']}",
                ".spec.a[*]       | {'a':['canary',42017,{'b':'canary'},null]}     | {'a':['#','#','#',null]}",
                ".spec.a.*        | {'a':{'b':'canary','c':['canary']}}            | {'a':{'b':'#','c':'#'}}",
                ".spec.a.*.b      | {'a':{'x':{'b':'canary','c':1},'y':{'c':2}}}   |"
                        + " {'a':{'x':{'b':'#','c':1},'y':{'c':2}}}",
                ".spec.a.*        | {'a':['canary']}                               | {'a':['#']}",
                ".spec.a[*]       | {'a':{'b':'canary'}}                           | {'a':{'b':'#'}}",
                ".spec['a.b']     | {'a.b':'canary','a':{'b':'x'}}                 | {'a.b':'#','a':{'b':'x'}}",
                ".spec            | {'a':'canary'}                                 | '#'",
                ".spec.a.b        | {'a':'canary'}                                 | {'a':'#'}",
                ".spec.a.b        | {'a':[{'b':'canary'}]}                         | {'a':'#'}",
                ".spec.a.b.c      | {'a':{'b':42017}}                              | {'a':{'b':'#'}}",
                ".spec.*.a,.spec.x.b | {'x':{'a':'canary','b':'canary','c':1},'y':{'a':'canary','b':1}} |"
                        + " {'x':{'a':'#','b':'#','c':1},'y':{'a':'#','b':1}}",
                ".spec.a,.spec.a.b   | {'a':{'b':'canary','c':'canary'}}           | {'a':'#'}"
            })
    void givenPath_whenScanned_thenTheWholeValueThereIsOneHash(String paths, String spec, String expected) {
        String json = object(spec.replace('\'', '"'));
        Redactions redactions = rules(List.of(paths.split(",")).stream()
                .map(path -> "widgets.example.com: " + path)
                .toArray(String[]::new));

        ScannedObject object = scan(json, redactions, "example.com", "widgets");

        assertThat(new String(object.json(), UTF_8)).doesNotContain("canary", "42017");
        String redacted = Json.mapper().readTree(object.json()).path("spec").toString();
        assertThat(redacted.replaceAll("hmac-sha256:[0-9a-f]{64}", "#")).isEqualTo(expected.replace('\'', '"'));
    }

    @Test
    void givenPath_whenScanned_thenNeitherAnnotationNorManagedFieldsRevealIt() {
        String json =
                "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\",\"uid\":\"u\",\"resourceVersion\":\"3\","
                    + "\"annotations\":{\"note\":\"plain\",\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"spec\\\":{\\\"tokens\\\":[\\\"canary\\\"]}}\"},"
                    + "\"managedFields\":[{\"manager\":\"kubectl\",\"operation\":\"Apply\",\"fieldsV1\":{\"f:spec\":{\"f:tokens\":{\"v:\\\"canary\\\"\":{}}}}}]},"
                    + "\"spec\":{\"tokens\":[\"canary\"]}}";

        ScannedObject object = scan(json, rules("*.example.com: .spec.tokens[*]"), "example.com", "widgets");

        assertThat(new String(object.json(), UTF_8)).doesNotContain("canary").contains("plain");
        assertThat(object.actors()).singleElement().extracting(Actor::manager).isEqualTo("kubectl");
    }

    @Test
    void givenOtherValueAtAPath_whenCompared_thenItsSectionChangedAndNothingElse() {
        Redactions redactions = rules("widgets.example.com: .spec.token");
        assertThat(scan(object("{\"token\":1}"), redactions, "example.com", "widgets")
                        .hashes()
                        .changedSince(scan(object("{\"token\":2}"), redactions, "example.com", "widgets")
                                .hashes()))
                .containsExactly("spec");
    }

    private static String object(String spec) {
        return "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\",\"uid\":\"u\",\"resourceVersion\":\"3\"},"
            + "\"spec\":" + spec + "}";
    }

    private static Redactions rules(String... rules) {
        return new Redactions(
                Optional.of("key-0123456789-a".getBytes(UTF_8)),
                List.of(rules).stream().map(RedactionRule::parse).toList());
    }

    private static ScannedObject scan(String json, String key) {
        return scan(json, new Redactions(Optional.of(key.getBytes(UTF_8)), List.of()), "", "secrets");
    }

    private static ScannedObject scan(String json, Redactions redactions, String group, String plural) {
        var scanner = new ObjectScanner("v1", "Secret", redactions.of(group, plural));
        byte[] bytes = (" " + json).getBytes(UTF_8);
        return scanner.scan(bytes, 1, bytes.length);
    }
}
