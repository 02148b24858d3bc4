package io.evenkeel.watcher.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;

/** A body that arrives in pieces of one size. */
final class PiecesOf implements Chunks {
    private final byte[] body;
    private final int size;
    private int position;

    PiecesOf(String body, int size) {
        this.body = body.getBytes(UTF_8);
        this.size = size;
    }

    @Override
    public Optional<byte[]> next() {
        if (position >= body.length) {
            return Optional.empty();
        }
        int end = Math.min(body.length, position + size);
        byte[] piece = Arrays.copyOfRange(body, position, end);
        position = end;
        return Optional.of(piece);
    }
}
