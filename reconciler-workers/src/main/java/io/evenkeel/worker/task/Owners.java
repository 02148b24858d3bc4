package io.evenkeel.worker.task;

import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.worker.ledger.ByteReader;
import io.evenkeel.worker.ledger.ByteWriter;
import io.evenkeel.worker.ledger.UnknownFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /** The owners after a record; those that it left are found again when the same record comes once more. */
    static Owners next(ObjectHeaders headers, List<String> owners, Optional<Owners> before, boolean gone) {
        if (before.isEmpty()) {
            return new Owners(headers.uid(), headers.resourceVersion(), owners, List.of(), gone);
        }
        Owners known = before.get();
        boolean again = known.uid().equals(headers.uid())
                && known.changedAt().equals(headers.resourceVersion())
                && known.gone() == gone;
        if (again) {
            return known;
        }
        var left = new ArrayList<>(known.current());
        left.removeAll(owners);
        boolean same = left.isEmpty() && known.current().equals(owners) && known.gone() == gone;
        return same && known.uid().equals(headers.uid())
                ? known
                : new Owners(headers.uid(), headers.resourceVersion(), owners, left, gone);
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
