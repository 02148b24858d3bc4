package io.evenkeel.cli.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One HTTP/2 connection (RFC 9113) that holds many watches open and counts the frames they send. It does no more than
 * that, so that a measurement on a small machine measures the server. Thread-safe.
 */
final class WatchConnection implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACKNOWLEDGEMENT = 1;
    private static final int END_OF_HEADERS_AND_STREAM = 5;
    private static final int END_OF_STREAM = 1;
    private static final int INITIAL_WINDOW_SIZE = 4;
    /** The first byte of a header block that says 200 (RFC 7541, static table, index 8). */
    private static final int STATUS_200 = 0x88;
    /** What a stream and the connection may receive before the server must wait for more to be granted. */
    private static final int WINDOW = 1 << 30;

    private static final int CONNECTION_WINDOW_AT_START = 65_535;

    private final SSLSocket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final AtomicLong frames;
    private final AtomicLong refused;
    private int nextStream = 1; // guarded by this
    private int received; // on the reader's thread

    /**
     * Connects and begins to read.
     *
     * @param frames counts what all watches get
     * @param refused counts answers other than 200 and watches that end
     */
    WatchConnection(SSLContext trust, int port, AtomicLong frames, AtomicLong refused) throws IOException {
        this.frames = frames;
        this.refused = refused;
        socket = (SSLSocket) trust.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        out = socket.getOutputStream();
        var start = new ByteArrayOutputStream();
        start.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        var window = new ByteArrayOutputStream();
        window.write(0);
        window.write(INITIAL_WINDOW_SIZE);
        window.writeBytes(number(WINDOW));
        start.writeBytes(frame(SETTINGS, 0, 0, window.toByteArray()));
        start.writeBytes(frame(WINDOW_UPDATE, 0, 0, number(WINDOW - CONNECTION_WINDOW_AT_START)));
        send(start.toByteArray());
        Thread.ofVirtual().name("watches").start(this::read);
    }

    /** Opens the watches of these paths, which must not be more than the server allows on one connection. */
    synchronized void open(List<String> paths, String authority, String token) throws IOException {
        var requests = new ByteArrayOutputStream();
        for (String path : paths) {
            var block = new ByteArrayOutputStream();
            header(block, ":method", "GET");
            header(block, ":scheme", "https");
            header(block, ":authority", authority);
            header(block, ":path", path);
            header(block, "authorization", "Bearer " + token);
            requests.writeBytes(frame(HEADERS, END_OF_HEADERS_AND_STREAM, nextStream, block.toByteArray()));
            nextStream += 2;
        }
        send(requests.toByteArray());
    }

    /** A literal header field without indexing (RFC 7541, section 6.2.2). */
    private static void header(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        text(block, name);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            int rest = bytes.length - 127;
            for (; rest >= 128; rest >>= 7) {
                block.write((rest & 127) | 128);
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        byte[] frame = new byte[9 + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        System.arraycopy(number(stream), 0, frame, 5, 4);
        System.arraycopy(payload, 0, frame, 9, payload.length);
        return frame;
    }

    private static byte[] number(int value) {
        return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
    }

    private synchronized void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    private void read() {
        byte[] payload = new byte[1 << 14];
        try {
            while (true) {
                int length = (in.readUnsignedShort() << 8) | in.readUnsignedByte();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                in.readInt(); // the stream: all of them count alike
                if (length > payload.length) {
                    throw new IOException("a frame of " + length + " bytes, more than was allowed");
                }
                in.readFully(payload, 0, length);
                handle(type, flags, payload, length);
            }
        } catch (IOException e) {
            refused.incrementAndGet(); // closed by us at the end, or lost: the caller looks while it measures
        }
    }

    private void handle(int type, int flags, byte[] payload, int length) throws IOException {
        switch (type) {
            case DATA -> {
                int lines = 0;
                for (int i = 0; i < length; i++) {
                    lines += payload[i] == '\n' ? 1 : 0; // JSON has none inside
                }
                frames.addAndGet(lines);
                received += length;
                if (received > WINDOW / 2) {
                    send(frame(WINDOW_UPDATE, 0, 0, number(received)));
                    received = 0;
                }
                if ((flags & END_OF_STREAM) != 0) {
                    refused.incrementAndGet();
                }
            }
            case HEADERS -> {
                if (!isOk(payload, length)) {
                    refused.incrementAndGet();
                }
            }
            case SETTINGS -> {
                if ((flags & ACKNOWLEDGEMENT) == 0) {
                    send(frame(SETTINGS, ACKNOWLEDGEMENT, 0, new byte[0]));
                }
            }
            case PING -> {
                if ((flags & ACKNOWLEDGEMENT) == 0) {
                    send(frame(PING, ACKNOWLEDGEMENT, 0, java.util.Arrays.copyOf(payload, length)));
                }
            }
            case RESET_STREAM, GO_AWAY -> refused.incrementAndGet();
            default -> {} // nothing else concerns a client that only reads
        }
    }

    private static boolean isOk(byte[] block, int length) {
        int at = 0;
        while (at < length && (block[at] & 0xE0) == 0x20) { // a change of the table's size may come first
            boolean longer = (block[at++] & 0x1F) == 0x1F;
            while (longer && at < length) {
                longer = (block[at++] & 0x80) != 0;
            }
        }
        return at < length && (block[at] & 0xFF) == STATUS_200;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
