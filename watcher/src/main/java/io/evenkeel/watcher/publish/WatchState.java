package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Selection;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.fold.Life;
import io.evenkeel.watcher.frame.SectionHashes;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How records on {@code watch-state} are written. Under a shard's key stands its checkpoint as JSON, for people to read.
 * Under {@code <shard>/<object key>} stands what is known of one object, in a compact form because there are as many as
 * objects: a format byte, epoch, resourceVersion, generation or -1, length and text of the uid, section hashes.
 */
public final class WatchState {
    private static final byte FORMAT = 1;
    private static final int SHARD_PARTS = 3;

    private WatchState() {}

    /** Key of the shard's checkpoint. */
    public static byte[] key(ShardKey shard) {
        return shard.toString().getBytes(UTF_8);
    }

    /** What the keys of all objects of the shard start with. */
    public static byte[] prefix(ShardKey shard) {
        return (shard + "/").getBytes(UTF_8);
    }

    /** Key of what is known of an object. */
    public static byte[] key(ShardKey shard, ObjectKey object) {
        return (shard + "/" + object).getBytes(UTF_8);
    }

    /** Whether a key is that of a checkpoint. */
    public static boolean isShard(byte[] key) {
        int slashes = 0;
        for (byte b : key) {
            if (b == '/') {
                slashes++;
            }
        }
        return slashes < SHARD_PARTS;
    }

    /** The object in the key of an entry. */
    static ObjectKey object(byte[] key, int prefixLength) {
        return ObjectKey.parse(new String(key, prefixLength, key.length - prefixLength, UTF_8));
    }

    static byte[] encode(Checkpoint checkpoint) {
        return Json.write(new Stored(
                checkpoint.epoch(),
                checkpoint.clusterIdentity(),
                checkpoint.selection().marker(),
                checkpoint.resourceVersion().toString(),
                checkpoint.relist()));
    }

    /** @throws io.evenkeel.api.json.MalformedRecordException if the bytes are no checkpoint */
    public static Checkpoint decodeCheckpoint(byte[] value) {
        Stored stored = Json.read(value, Stored.class);
        return new Checkpoint(
                stored.epoch(),
                stored.clusterIdentity(),
                stored.selection().orElse(Selection.ALL),
                ResourceVersion.parse(stored.resourceVersion()),
                stored.relist());
    }

    static byte[] encode(Life life) {
        byte[] uid = life.uid().getBytes(UTF_8);
        ByteBuffer out = ByteBuffer.allocate(1 + 3 * Long.BYTES + Short.BYTES + uid.length + 1 + 8 * Long.BYTES);
        out.put(FORMAT)
                .putLong(life.epoch())
                .putLong(life.resourceVersion().value())
                .putLong(life.generation().orElse(-1L))
                .putShort((short) uid.length)
                .put(uid);
        life.hashes().writeTo(out);
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    static Life decodeLife(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        byte format = in.get();
        if (format != FORMAT) {
            throw new IllegalStateException("an entry of watch-state has format " + format + " but this version reads "
                    + FORMAT + ": a newer watcher wrote it");
        }
        long epoch = in.getLong();
        long version = in.getLong();
        long generation = in.getLong();
        byte[] uid = new byte[in.getShort()];
        in.get(uid);
        return new Life(
                epoch,
                new String(uid, UTF_8),
                new ResourceVersion(version),
                generation < 0 ? Optional.empty() : Optional.of(generation),
                SectionHashes.readFrom(in));
    }

    /** A checkpoint as JSON. */
    private record Stored(
            long epoch,
            String clusterIdentity,
            Optional<Selection> selection,
            String resourceVersion,
            Optional<String> relist) {}
}
