package io.evenkeel.watcher.frame;

import io.evenkeel.api.ResourceVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Splits the body of a watch into frames, one per line. What stands behind the last line end when the stream ends is a cut
 * frame: it is dropped, because a watch that resumes gets it again. Not thread-safe.
 */
public final class WatchFrameReader {
    private static final int LONGEST_FRAME = 64 << 20;

    private final Chunks chunks;
    private final ObjectScanner scanner;
    private ByteArrayOutputStream begun = new ByteArrayOutputStream(0);
    private byte[] chunk = new byte[0];
    private int position;

    /** Reads frames of the objects that {@code scanner} understands. */
    public WatchFrameReader(Chunks chunks, ObjectScanner scanner) {
        this.chunks = chunks;
        this.scanner = scanner;
    }

    /**
     * Waits for the next whole frame.
     *
     * @return empty when the stream has ended
     * @throws IOException if the connection broke or was silent for too long
     * @throws MalformedFrameException if a whole line is no frame
     */
    public Optional<WatchFrame> next() throws IOException, InterruptedException {
        while (true) {
            for (int i = position; i < chunk.length; i++) {
                if (chunk[i] == '\n') {
                    WatchFrame frame = line(i);
                    position = i + 1;
                    return Optional.of(frame);
                }
            }
            begun.write(chunk, position, chunk.length - position);
            if (begun.size() > LONGEST_FRAME) {
                throw new MalformedFrameException("a watch frame is longer than " + LONGEST_FRAME + " bytes");
            }
            Optional<byte[]> next = chunks.next();
            position = 0;
            chunk = next.orElse(new byte[0]);
            if (next.isEmpty()) {
                return Optional.empty();
            }
        }
    }

    /** Whether more frames are at hand without waiting for the server. */
    public boolean hasMore() {
        return position < chunk.length;
    }

    private WatchFrame line(int end) {
        if (begun.size() == 0) {
            return parse(chunk, position, end);
        }
        begun.write(chunk, position, end - position);
        byte[] whole = begun.toByteArray();
        begun = new ByteArrayOutputStream(0); // not reset: one large frame must not hold memory in every idle watch
        return parse(whole, 0, whole.length);
    }

    private WatchFrame parse(byte[] json, int from, int to) {
        String type = "";
        int objectFrom = -1;
        int objectTo = -1;
        try (JsonParser parser = ObjectScanner.parser(json, from, to)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedFrameException("a watch frame was expected");
            }
            while ((type.isEmpty() || objectFrom < 0) && parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (field.equals("type")) {
                    type = parser.getString();
                } else if (field.equals("object")) {
                    objectFrom = from + (int) parser.currentTokenLocation().getByteOffset();
                    // Usually the type came first and the object is all that is left: nothing is scanned twice.
                    objectTo = type.isEmpty() ? skip(parser, from) : lastBrace(json, to);
                } else {
                    parser.skipChildren();
                }
            }
        } catch (JacksonException e) {
            throw ObjectScanner.malformed(e);
        }
        if (objectFrom < 0) {
            throw new MalformedFrameException("a watch frame has no object");
        }
        return switch (type) {
            case "ADDED", "MODIFIED" -> new WatchFrame.Upserted(scanner.scan(json, objectFrom, objectTo));
            case "DELETED" -> new WatchFrame.Deleted(scanner.scan(json, objectFrom, objectTo));
            case "BOOKMARK" -> bookmark(json, objectFrom, objectTo);
            case "ERROR" -> failure(json, objectFrom, objectTo);
            default -> throw new MalformedFrameException("a watch frame has an unknown type");
        };
    }

    private static int skip(JsonParser parser, int from) {
        parser.skipChildren();
        return from + (int) parser.currentLocation().getByteOffset();
    }

    /** The end of the object in a frame that ends with it: the frame's own closing brace is the last. */
    private static int lastBrace(byte[] json, int to) {
        int end = to - 1;
        while (end > 0 && json[end] != '}') {
            end--;
        }
        return end;
    }

    private static WatchFrame bookmark(byte[] json, int from, int to) {
        String version = SmallObject.parse(json, from, to).text("metadata", "resourceVersion");
        try {
            return new WatchFrame.Bookmark(ResourceVersion.parse(version));
        } catch (IllegalArgumentException e) {
            throw new MalformedFrameException("a bookmark's resourceVersion is no number");
        }
    }

    private static WatchFrame failure(byte[] json, int from, int to) {
        SmallObject status = SmallObject.parse(json, from, to);
        return new WatchFrame.Failed(status.number("code"), status.text("reason"));
    }
}
