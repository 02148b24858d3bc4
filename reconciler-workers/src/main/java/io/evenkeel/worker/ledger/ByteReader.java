package io.evenkeel.worker.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads what {@link ByteWriter} wrote. Not thread-safe. */
public final class ByteReader {
    private final byte[] bytes;
    private int at;

    /** @param bytes what was written */
    public ByteReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** One byte. */
    public byte readByte() {
        if (at >= bytes.length) {
            throw new UnknownFormatException("a stored value of " + bytes.length + " bytes is cut");
        }
        return bytes[at++];
    }

    /** One byte, 0 or 1. */
    public boolean readBoolean() {
        return readByte() != 0;
    }

    /** A number of variable length. */
    public int readInt() {
        return (int) readLong();
    }

    /** A number of variable length. */
    public long readLong() {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = readByte();
            value |= (long) (next & 0x7f) << shift;
            shift += 7;
        } while ((next & 0x80) != 0);
        return (value >>> 1) ^ -(value & 1);
    }

    /** Seconds and nanoseconds. */
    public Instant readInstant() {
        return Instant.ofEpochSecond(readLong(), readInt());
    }

    /** Length and UTF-8. */
    public String readText() {
        int length = readLength();
        var text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    /** Length and bytes. */
    public byte[] readBytes() {
        int length = readLength();
        byte[] value = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return value;
    }

    /** A text, if there is one. */
    public Optional<String> readOptional() {
        return readBoolean() ? Optional.of(readText()) : Optional.empty();
    }

    /** Size, then each element as {@code element} reads it. */
    public <T> List<T> readList(Supplier<T> element) {
        int size = readInt();
        if (size == 0) {
            return List.of();
        }
        var values = new ArrayList<T>(Math.min(size, bytes.length));
        for (int i = 0; i < size; i++) {
            values.add(element.get());
        }
        return values;
    }

    private int readLength() {
        int length = readInt();
        if (length < 0 || length > bytes.length - at) {
            throw new UnknownFormatException("a stored value of " + bytes.length + " bytes is cut");
        }
        return length;
    }
}
