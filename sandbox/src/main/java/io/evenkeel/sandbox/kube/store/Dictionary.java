package io.evenkeel.sandbox.kube.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A text that others resemble: they are kept as copies out of it and the few bytes between. Finds the copies as LZ77
 * does (Ziv and Lempel, 1977), with one candidate per place, in the dictionary only, and without coding what is left:
 * packing is far cheaper than deflate with a preset dictionary, and unpacking is copying. Immutable; thread-safe.
 *
 * <p>Packed form: literal length, literals, copy length, copy offset, and so on to the end; lengths and offsets are
 * numbers of seven bits a byte, lowest first.
 */
final class Dictionary {
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SEED = Long.BYTES;
    private static final int TABLE_BITS = 13;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int NOWHERE = -1;

    /** What is packed so far; a stream that locks for each byte would take longer than all the rest. */
    private static final class Output {
        final byte[] bytes;
        int size;

        /** Each copy takes at most 15 bytes in place of 8 or more. */
        Output(int bodyLength) {
            bytes = new byte[bodyLength * 2 + 16];
        }

        void literals(byte[] body, int from, int to) {
            number(to - from);
            System.arraycopy(body, from, bytes, size, to - from);
            size += to - from;
        }

        void number(int value) {
            int rest = value;
            for (; rest >= 0x80; rest >>>= 7) {
                bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
            }
            bytes[size++] = (byte) rest;
        }
    }

    private final byte[] text;
    private final int[] positions;

    Dictionary(byte[] text) {
        this.text = text;
        positions = new int[1 << TABLE_BITS];
        Arrays.fill(positions, NOWHERE);
        for (int at = text.length - SEED; at >= 0; at--) {
            positions[slot(eight(text, at))] = at; // the first place of several stays
        }
    }

    private static long eight(byte[] bytes, int at) {
        return (long) EIGHT_BYTES.get(bytes, at);
    }

    private static int slot(long eight) {
        return (int) ((eight * MIX) >>> (Long.SIZE - TABLE_BITS));
    }

    byte[] pack(byte[] body) {
        var out = new Output(body.length);
        int written = 0;
        int at = 0;
        int shift = 0; // from a place in the body to the same place in the dictionary, as far as the last copy tells
        while (at <= body.length - SEED) {
            long eight = eight(body, at);
            int found = matches(at + shift, eight) ? at + shift : positions[slot(eight)];
            if (!matches(found, eight)) {
                at++;
                continue;
            }
            int end = Arrays.mismatch(body, at, body.length, text, found, text.length);
            int length = end < 0 ? body.length - at : end;
            out.literals(body, written, at);
            out.number(length);
            out.number(found);
            shift = found - at;
            at += length;
            written = at;
        }
        out.literals(body, written, body.length);
        return Arrays.copyOf(out.bytes, out.size);
    }

    private boolean matches(int place, long eight) {
        return place >= 0 && place <= text.length - SEED && eight(text, place) == eight;
    }

    /** @param length of the body that was packed */
    byte[] unpack(byte[] packed, int length) {
        byte[] body = new byte[length];
        ByteBuffer in = ByteBuffer.wrap(packed);
        int at = 0;
        while (true) {
            int literals = number(in);
            in.get(body, at, literals);
            at += literals;
            if (!in.hasRemaining()) {
                return body;
            }
            int copied = number(in);
            System.arraycopy(text, number(in), body, at, copied);
            at += copied;
        }
    }

    private static int number(ByteBuffer in) {
        int value = 0;
        for (int bits = 0; ; bits += 7) {
            byte next = in.get();
            value |= (next & 0x7F) << bits;
            if (next >= 0) {
                return value;
            }
        }
    }
}
