package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.watcher.fold.Emission;
import io.evenkeel.watcher.fold.Life;
import io.evenkeel.watcher.frame.ObjectScanner;
import io.evenkeel.watcher.frame.ScannedObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

final class EventRecordsTest {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(4);
    private static final ShardKey SHARD = new ShardKey("eu-1", "apps", "deployments");
    private static final ObjectKey KEY = new ObjectKey("eu-1", "apps", "Deployment", "shop", "web");
    private static final EventRecords.About ABOUT = new EventRecords.About(SHARD, KEY, "v1", Selection.ALL);
    private static final Instant NOW = Instant.parse("2026-11-30T09:14:02.113Z");

    @Test
    void givenChange_whenWritten_thenEventAndObjectLieOnOnePartitionWithTheObjectUntouched() {
        ScannedObject object = object("x");
        List<ProducerRecord<byte[], byte[]>> records = records(object, emission(ChangeType.MODIFIED, object), 10_000);
        assertThat(records).extracting(ProducerRecord::topic).containsExactly("evenkeel.events", "evenkeel.objects");
        assertThat(records).extracting(ProducerRecord::partition).containsOnly(Partitioner.partition(KEY, 4));
        ChangeEvent event = Json.read(records.get(0).value(), ChangeEvent.class);
        assertThat(event.key()).isEqualTo(KEY);
        assertThat(event.version()).isEqualTo("v1");
        assertThat(event.observedAt()).isEqualTo(NOW);
        assertThat(new String(records.get(0).value(), UTF_8)).endsWith(",\"object\":" + text(object.json()) + "}");
        assertThat(records.get(1).value()).isEqualTo(object.json());
        assertThat(CloudEventHeaders.text(records.get(0).headers(), CloudEventHeaders.ID))
                .contains(event.id());
        assertThat(ObjectHeaders.from(records.get(1).headers()).eventId()).isEqualTo(event.id());
    }

    @Test
    void givenDeletion_whenWritten_thenTheEventKeepsTheLastStateAndTheObjectIsATombstone() {
        ScannedObject object = object("x");
        List<ProducerRecord<byte[], byte[]>> records = records(object, emission(ChangeType.DELETED, object), 10_000);
        assertThat(Json.read(records.get(0).value(), ChangeEvent.class).object())
                .isPresent();
        assertThat(records.get(1).value()).isNull();
        assertThat(ObjectHeaders.from(records.get(1).headers()).uid()).isEqualTo("u-1");
    }

    @Test
    void givenInferredDeletion_whenWritten_thenTheObjectIsUnknown() {
        Life last = life(object("x"));
        var emission = new Emission(ChangeType.DELETED, Origin.RELIST, last, List.of(), false);
        List<ProducerRecord<byte[], byte[]>> records =
                new EventRecords(LAYOUT, 10_000).of(ABOUT, emission, Optional.empty(), NOW);
        ChangeEvent event = Json.read(records.get(0).value(), ChangeEvent.class);
        assertThat(event.finalStateKnown()).isFalse();
        assertThat(event.object()).isEmpty();
        assertThat(event.objectOmitted()).isPresent();
        assertThat(records.get(1).value()).isNull();
    }

    @Test
    void givenShardThatSeesAPart_whenWritten_thenEventAndTombstoneSayWhich() {
        ScannedObject object = object("x");
        var selection = new Selection(Optional.of("app=web,tier in (a,b)"), Optional.of("shop"));
        List<ProducerRecord<byte[], byte[]>> records = new EventRecords(LAYOUT, 10_000)
                .of(
                        new EventRecords.About(SHARD, KEY, "v1", selection),
                        emission(ChangeType.DELETED, object),
                        Optional.of(object),
                        NOW);
        assertThat(Json.read(records.get(0).value(), ChangeEvent.class).selection())
                .contains(selection);
        ObjectHeaders tombstone = ObjectHeaders.from(records.get(1).headers());
        assertThat(tombstone.selection()).contains(selection);
        assertThat(tombstone.mayLiveOn("shop")).isTrue();
        assertThat(text(records(object, emission(ChangeType.DELETED, object), 10_000)
                        .get(0)
                        .value()))
                .doesNotContain("selection");
    }

    @Test
    void givenObjectOverTheLimit_whenWritten_thenBothRecordsSaySoAndStaySmall() {
        ScannedObject object = object("x".repeat(20_000));
        List<ProducerRecord<byte[], byte[]>> records = records(object, emission(ChangeType.ADDED, object), 10_000);
        assertThat(records)
                .allSatisfy(record -> assertThat(EventRecords.size(record)).isLessThan(10_000));
        ChangeEvent event = Json.read(records.get(0).value(), ChangeEvent.class);
        assertThat(event.object()).isEmpty();
        assertThat(event.objectOmitted()).contains("too large (" + object.json().length + " bytes)");
        assertThat(ObjectHeaders.from(records.get(1).headers()).objectOmitted()).isEqualTo(event.objectOmitted());
        assertThat(Json.mapper().readTree(records.get(1).value()))
                .isEqualTo(Json.mapper()
                        .readTree("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\","
                                + "\"namespace\":\"shop\",\"uid\":\"u-1\",\"resourceVersion\":\"12\"}}"));
    }

    private static List<ProducerRecord<byte[], byte[]>> records(ScannedObject object, Emission emission, int limit) {
        return new EventRecords(LAYOUT, limit).of(ABOUT, emission, Optional.of(object), NOW);
    }

    private static Emission emission(ChangeType type, ScannedObject object) {
        return new Emission(type, Origin.WATCH, life(object), List.of("spec"), true);
    }

    private static Life life(ScannedObject object) {
        return new Life(1, object.uid(), object.resourceVersion(), object.generation(), object.hashes());
    }

    private static ScannedObject object(String filling) {
        byte[] json =
                ("{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"uid\":\"u-1\",\"resourceVersion\":\"12\"},"
                                + "\"spec\":{\"filling\":\"" + filling + "\"}}")
                        .getBytes(UTF_8);
        return new ObjectScanner("apps/v1", "Deployment", Optional.empty()).scan(json, 0, json.length);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
