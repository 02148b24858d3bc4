package io.evenkeel.worker.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Appends values to a growing array, numbers in variable length. Not thread-safe. */
public final class ByteWriter {
    private byte[] bytes;
    private int length;

    /** @param capacity bytes to begin with */
    public ByteWriter(int capacity) {
        bytes = new byte[capacity];
    }

    /** One byte. */
    public void writeByte(byte value) {
        reserve(1);
        bytes[length++] = value;
    }

    /** One byte, 0 or 1. */
    public void writeBoolean(boolean value) {
        writeByte((byte) (value ? 1 : 0));
    }

    /** 1 to 5 bytes; small values, also negative ones, are short. */
    public void writeInt(int value) {
        writeLong(value);
    }

    /** 1 to 10 bytes; small values, also negative ones, are short. */
    public void writeLong(long value) {
        reserve(10);
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** Seconds and nanoseconds. */
    public void writeInstant(Instant value) {
        writeLong(value.getEpochSecond());
        writeInt(value.getNano());
    }

    /** Length and UTF-8. */
    public void writeText(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Length and bytes. */
    public void writeBytes(byte[] value) {
        writeInt(value.length);
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    /** Whether there is one, and the text. */
    public void writeOptional(Optional<String> value) {
        writeBoolean(value.isPresent());
        value.ifPresent(this::writeText);
    }

    /** Size, then each element as {@code element} writes it. */
    public <T> void writeList(List<T> values, Consumer<T> element) {
        writeInt(values.size());
        values.forEach(element);
    }

    /** What was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
