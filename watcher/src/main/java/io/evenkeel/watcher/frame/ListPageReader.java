package io.evenkeel.watcher.frame;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads a page of a list item by item while it arrives, so that a page of large objects is never in memory as a whole. It
 * finds where values end by counting brackets outside of strings; whether an item is good JSON is the scanner's business.
 * The metadata may stand before or behind the items, as built-in and custom resources do it. Not thread-safe.
 */
public final class ListPageReader {
    private final Chunks chunks;
    private byte[] chunk = new byte[0];
    private int position;
    private int items;

    /** Reads the page that {@code chunks} brings. */
    public ListPageReader(Chunks chunks) {
        this.chunks = chunks;
    }

    /**
     * Reads the page to its end.
     *
     * @param visitor gets each item
     * @throws EOFException if the page was cut: nothing follows from what is missing in it
     * @throws IOException if the connection broke or was silent for too long
     * @throws MalformedFrameException if it is no list
     */
    public ListPage read(ItemVisitor visitor) throws IOException, InterruptedException {
        SmallObject metadata = SmallObject.parse(new byte[] {'{', '}'}, 0, 2);
        expect('{');
        for (int c = nextToken(); c != '}'; c = nextToken()) {
            if (c == ',') {
                continue;
            }
            position--;
            String field = new String(value(), StandardCharsets.UTF_8);
            expect(':');
            if (field.equals("\"items\"")) {
                readItems(visitor);
            } else {
                byte[] value = value();
                if (field.equals("\"metadata\"")) {
                    metadata = SmallObject.parse(value, 0, value.length);
                }
            }
        }
        String version = metadata.text("resourceVersion");
        if (version.isEmpty()) {
            throw new MalformedFrameException("a list has no resourceVersion");
        }
        return new ListPage(version, metadata.text("continue"), items);
    }

    private void readItems(ItemVisitor visitor) throws IOException, InterruptedException {
        int c = nextToken();
        if (c != '[') {
            position--;
            value(); // null: an empty list of some servers
            return;
        }
        for (c = nextToken(); c != ']'; c = nextToken()) {
            if (c == ',') {
                continue;
            }
            position--;
            visitor.visit(value());
            items++;
        }
    }

    /** The bytes of the value that comes next. */
    private byte[] value() throws IOException, InterruptedException {
        var out = new ByteArrayOutputStream(2_048);
        int first = nextToken();
        position--;
        boolean scalar = first != '{' && first != '[' && first != '"';
        int depth = 0;
        boolean inString = false;
        boolean escaped = false;
        while (true) {
            int from = position;
            for (; position < chunk.length; position++) {
                byte c = chunk[position];
                if (scalar) {
                    if (c == ',' || c == '}' || c == ']' || isSpace(c)) {
                        out.write(chunk, from, position - from);
                        return out.toByteArray();
                    }
                } else if (inString) {
                    if (escaped) {
                        escaped = false;
                    } else if (c == '\\') {
                        escaped = true;
                    } else if (c == '"') {
                        inString = false;
                        if (depth == 0) {
                            return taken(out, from);
                        }
                    }
                } else if (c == '"') {
                    inString = true;
                } else if (c == '{' || c == '[') {
                    depth++;
                } else if ((c == '}' || c == ']') && --depth == 0) {
                    return taken(out, from);
                }
            }
            out.write(chunk, from, position - from);
            fill();
        }
    }

    private byte[] taken(ByteArrayOutputStream out, int from) {
        position++;
        out.write(chunk, from, position - from);
        return out.toByteArray();
    }

    private void expect(char wanted) throws IOException, InterruptedException {
        if (nextToken() != wanted) {
            throw new MalformedFrameException("a list was expected, with '" + wanted + "' at this place");
        }
    }

    private int nextToken() throws IOException, InterruptedException {
        while (true) {
            for (; position < chunk.length; position++) {
                if (!isSpace(chunk[position])) {
                    return chunk[position++];
                }
            }
            fill();
        }
    }

    private void fill() throws IOException, InterruptedException {
        Optional<byte[]> next = chunks.next();
        if (next.isEmpty()) {
            throw new EOFException("the list was cut after " + items + " items of the page");
        }
        chunk = next.get();
        position = 0;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** Receives the items of a page. */
    @FunctionalInterface
    public interface ItemVisitor {
        /** @param json one item, whole */
        void visit(byte[] json) throws IOException, InterruptedException;
    }
}
