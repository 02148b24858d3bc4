package io.evenkeel.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Records of this release, as files: today's code reads them without loss, and each fits its schema. */
final class GoldenRecordTest {
    record Golden(String file, Schemas schema, Class<?> type) {
        @Override
        public String toString() {
            return file;
        }
    }

    static Stream<Golden> goldenRecords() {
        return Stream.of(
                new Golden("change-event", Schemas.CHANGE_EVENT, ChangeEvent.class),
                new Golden("change-event.deleted", Schemas.CHANGE_EVENT, ChangeEvent.class),
                new Golden("change-event.selected", Schemas.CHANGE_EVENT, ChangeEvent.class),
                new Golden("gap", Schemas.GAP, Gap.class),
                new Golden("gap.selected", Schemas.GAP, Gap.class),
                new Golden("reconcile-request.secondary-changed", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.secondary-removed", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.referenced", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.retry-due", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.requeue-due", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.resync-due", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.redrive", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.audit", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("reconcile-request.manual", Schemas.RECONCILE_REQUEST, ReconcileRequest.class),
                new Golden("retry-entry", Schemas.RETRY_ENTRY, RetryEntry.class),
                new Golden("attempt-outcome", Schemas.ATTEMPT_OUTCOME, AttemptOutcome.class),
                new Golden("dead-letter", Schemas.DEAD_LETTER, DeadLetter.class),
                new Golden("watch-status", Schemas.WATCH_STATUS, WatchStatus.class),
                new Golden("watch-status.forbidden", Schemas.WATCH_STATUS, WatchStatus.class),
                new Golden("pause", Schemas.PAUSE, Pause.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldenRecords")
    void givenGoldenRecord_whenReadAndWritten_thenNothingIsLost(Golden golden) throws IOException {
        JsonNode before = Json.mapper().readTree(bytes(golden.file()));

        Object record = Json.read(bytes(golden.file()), golden.type());

        assertThat(Json.mapper().readTree(Json.write(record))).isEqualTo(before);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldenRecords")
    void givenGoldenRecord_whenValidated_thenItFitsItsSchema(Golden golden) throws IOException {
        assertThat(errors(golden, Json.mapper().readTree(bytes(golden.file())))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldenRecords")
    void givenARequiredPropertyIsMissing_whenValidated_thenTheSchemaRefusesIt(Golden golden) throws IOException {
        var whole = (ObjectNode) Json.mapper().readTree(bytes(golden.file()));
        JsonNode required = Json.mapper().readTree(golden.schema().text()).get("required");

        assertThat(required.size()).isPositive();
        for (JsonNode name : required) {
            ObjectNode without = whole.deepCopy();
            without.remove(name.stringValue());
            assertThat(errors(golden, without)).as("without %s", name).isNotEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldenRecords")
    void givenAPropertyOfALaterRelease_whenRead_thenItIsIgnored(Golden golden) throws IOException {
        var later = (ObjectNode) Json.mapper().readTree(bytes(golden.file()));
        later.put("addedLater", 1);

        assertThat(Json.read(Json.write(later), golden.type()))
                .isEqualTo(Json.read(bytes(golden.file()), golden.type()));
    }

    @ParameterizedTest
    @EnumSource(Schemas.class)
    void everySchemaHasAGoldenRecordAndTheIdThatRecordsName(Schemas schema) {
        assertThat(goldenRecords().map(Golden::schema)).contains(schema);
        assertThat(Json.mapper().readTree(schema.text()).get("$id").stringValue())
                .isEqualTo(schema.id());
    }

    @Test
    void everyReasonOfARequestHasAGoldenRecord() throws IOException {
        List<Class<?>> covered = goldenRecords()
                .filter(golden -> golden.type() == ReconcileRequest.class)
                .<Class<?>>map(golden -> Json.read(uncheckedBytes(golden.file()), ReconcileRequest.class)
                        .reason()
                        .getClass())
                .toList();

        assertThat(covered).containsExactlyInAnyOrder(RequestReason.class.getPermittedSubclasses());
    }

    @Test
    void givenBytesThatAreNoRecord_whenRead_thenTheErrorNamesTheTypeAndNotThePayload() {
        byte[] bad = "{\"cluster\": 7, \"epoch\": \"geheim\"}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> Json.read(bad, ChangeEvent.class))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("ChangeEvent")
                .message()
                .doesNotContain("geheim");
    }

    private static List<String> errors(Golden golden, JsonNode record) {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(golden.schema().text());
        return schema.validate(record).stream().map(Object::toString).toList();
    }

    private static byte[] uncheckedBytes(String file) {
        try {
            return bytes(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String file) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(GoldenRecordTest.class.getResourceAsStream("/golden/" + file + ".json"), file)) {
            return in.readAllBytes();
        }
    }
}
