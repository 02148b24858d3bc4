package io.evenkeel.worker.task;

import io.evenkeel.worker.ledger.ByteReader;
import io.evenkeel.worker.ledger.ByteWriter;
import io.evenkeel.worker.ledger.UnknownFormatException;
import io.evenkeel.worker.ledger.Versions;

/**
 * A secondary as its primary's partition keeps it. One that is gone is kept for a while without its body, so that a
 * repeated older request does not bring it back.
 *
 * @param uid its life
 * @param resourceVersion its version
 * @param epoch epoch of the cluster
 * @param offset of the request that brought it
 * @param gone whether it was deleted or left
 * @param json its JSON; empty if gone
 */
@SuppressWarnings("ArrayRecordComponent") // straight from and to the store, never compared
record StoredSecondary(String uid, String resourceVersion, long epoch, long offset, boolean gone, byte[] json) {
    private static final byte VERSION = 1;

    byte[] toBytes() {
        var out = new ByteWriter(64 + json.length);
        out.writeByte(VERSION);
        out.writeText(uid);
        out.writeText(resourceVersion);
        out.writeLong(epoch);
        out.writeLong(offset);
        out.writeBoolean(gone);
        out.writeBytes(json);
        return out.toBytes();
    }

    static StoredSecondary of(byte[] bytes) {
        var in = new ByteReader(bytes);
        byte version = in.readByte();
        if (version != VERSION) {
            throw new UnknownFormatException(
                    "a secondary was stored in format " + version + " but this program reads format " + VERSION);
        }
        return new StoredSecondary(
                in.readText(), in.readText(), in.readLong(), in.readLong(), in.readBoolean(), in.readBytes());
    }

    /** Whether the very state that is gone is seen again: it had only left what the watcher sees. */
    boolean isBack(String otherUid, String otherVersion, long otherEpoch) {
        return gone && uid.equals(otherUid) && resourceVersion.equals(otherVersion) && epoch == otherEpoch;
    }

    /** Whether a request at another offset says nothing that is newer than this. */
    boolean supersedes(String otherVersion, long otherEpoch, long otherOffset) {
        return otherOffset != offset
                && (otherEpoch < epoch || (otherEpoch == epoch && !Versions.isAfter(otherVersion, resourceVersion)));
    }
}
