package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.fold.Life;
import io.evenkeel.watcher.frame.ObjectScanner;
import io.evenkeel.watcher.frame.SectionHashes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WatchStateTest {
    private static final ShardKey SHARD = new ShardKey("eu/1", "apps", "deployments");
    private static final ObjectKey OBJECT = new ObjectKey("eu/1", "apps", "Deployment", "shop", "a/b");

    @Test
    void givenCheckpointOfAnEarlierRelease_whenRead_thenItSawEverything() {
        byte[] stored = "{\"epoch\":1,\"clusterIdentity\":\"uid\",\"resourceVersion\":\"12\"}".getBytes(UTF_8);
        assertThat(WatchState.decodeCheckpoint(stored))
                .isEqualTo(new Checkpoint(1, "uid", Selection.ALL, new ResourceVersion(12), Optional.empty()));
    }

    @Test
    void givenKeys_whenRead_thenShardsAndObjectsAreToldApart() {
        byte[] key = WatchState.key(SHARD, OBJECT);
        assertThat(WatchState.isShard(WatchState.key(SHARD))).isTrue();
        assertThat(WatchState.isShard(key)).isFalse();
        assertThat(WatchState.object(key, WatchState.prefix(SHARD).length)).isEqualTo(OBJECT);
    }

    @Test
    void givenCheckpoint_whenWritten_thenItReadsBack() {
        var checkpoint = new Checkpoint(
                3,
                "uid",
                new Selection(Optional.of("app=web"), Optional.of("shop")),
                new ResourceVersion(12),
                Optional.of("410 Expired"));
        assertThat(WatchState.decodeCheckpoint(WatchState.encode(checkpoint))).isEqualTo(checkpoint);
        assertThat(new String(WatchState.encode(checkpoint), UTF_8))
                .isEqualTo(
                        "{\"epoch\":3,\"clusterIdentity\":\"uid\",\"selection\":{\"labels\":\"app=web\",\"namespace\":\"shop\"},\"resourceVersion\":\"12\",\"relist\":\"410"
                            + " Expired\"}");
    }

    @Test
    void givenLife_whenWritten_thenItReadsBack() {
        byte[] json =
                ("{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"labels\":{}},\"data\":{},"
                                + "\"spec\":{\"a\":1}}")
                        .getBytes(UTF_8);
        SectionHashes hashes = new ObjectScanner("v1", "X", Optional.empty())
                .scan(json, 0, json.length)
                .hashes();
        var life = new Life(2, "3f0b-ü", new ResourceVersion(9), Optional.of(4L), hashes);
        var bare = new Life(1, "u", new ResourceVersion(0), Optional.empty(), SectionHashes.NONE);
        assertThat(WatchState.decodeLife(WatchState.encode(life))).isEqualTo(life);
        assertThat(WatchState.decodeLife(WatchState.encode(bare))).isEqualTo(bare);
    }

    @Test
    void givenEntryOfANewerFormat_whenRead_thenItIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> WatchState.decodeLife(new byte[] {9, 0, 0}))
                .withMessageContaining("format 9");
    }
}
