package io.evenkeel.worker.task;

import io.evenkeel.worker.ledger.ByteReader;
import io.evenkeel.worker.ledger.ByteWriter;
import io.evenkeel.worker.ledger.UnknownFormatException;
import java.util.List;

/**
 * Whose secondary an object is, kept where the object lies: its tombstone has no body, and a new owner does not name the
 * old one. Those that it left are kept with the version that left them, so that a repeated record repeats the news.
 *
 * @param uid the object's life
 * @param changedAt version that last changed the owners
 * @param current texts of the owners' controller keys
 * @param left texts of those that {@code changedAt} left
 * @param gone whether {@code changedAt} is the object's deletion
 */
record Owners(String uid, String changedAt, List<String> current, List<String> left, boolean gone) {
    private static final byte VERSION = 1;

    Owners {
        current = List.copyOf(current);
        left = List.copyOf(left);
    }

    byte[] toBytes() {
        var out = new ByteWriter(128);
        out.writeByte(VERSION);
        out.writeText(uid);
        out.writeText(changedAt);
        out.writeList(current, out::writeText);
        out.writeList(left, out::writeText);
        out.writeBoolean(gone);
        return out.toBytes();
    }

    static Owners of(byte[] bytes) {
        var in = new ByteReader(bytes);
        byte version = in.readByte();
        if (version != VERSION) {
            throw new UnknownFormatException(
                    "owners were stored in format " + version + " but this program reads format " + VERSION);
        }
        return new Owners(
                in.readText(), in.readText(), in.readList(in::readText), in.readList(in::readText), in.readBoolean());
    }
}
