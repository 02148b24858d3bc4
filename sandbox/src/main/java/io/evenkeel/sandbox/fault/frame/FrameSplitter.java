package io.evenkeel.sandbox.fault.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts the bytes of a JSON watch into frames, each with the line feed that ends it. Not thread-safe. */
public final class FrameSplitter {
    private byte[] unfinished = new byte[0];

    /**
     * Takes what arrived.
     *
     * @return the frames that it completes
     */
    public List<ByteBuffer> accept(byte[] bytes, int length) {
        List<ByteBuffer> frames = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                frames.add(ByteBuffer.wrap(joined(bytes, start, i + 1)));
                unfinished = new byte[0];
                start = i + 1;
            }
        }
        unfinished = joined(bytes, start, length);
        return frames;
    }

    /** What came after the last whole frame: empty, unless the server was cut off. */
    public ByteBuffer rest() {
        return ByteBuffer.wrap(unfinished);
    }

    private byte[] joined(byte[] bytes, int start, int end) {
        byte[] whole = Arrays.copyOf(unfinished, unfinished.length + end - start);
        System.arraycopy(bytes, start, whole, unfinished.length, end - start);
        return whole;
    }
}
