package io.evenkeel.watcher.connection;

import io.evenkeel.watcher.frame.Chunks;
import io.evenkeel.watcher.frame.MalformedFrameException;
import io.evenkeel.watcher.frame.SmallObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;

/** An answer whose body is still to be read. Holds one stream of its connection until it is closed. */
public final class Answer implements AutoCloseable {
    private static final int LONGEST_SMALL = 16 << 20;

    private final int status;
    private final HttpClient.Version version;
    private final Optional<Duration> retryAfter;
    private final Optional<String> tag;
    private final StreamingBody body;
    private final ClientPool.Lease lease;

    Answer(
            int status,
            HttpClient.Version version,
            Optional<Duration> retryAfter,
            Optional<String> tag,
            StreamingBody body,
            ClientPool.Lease lease) {
        this.status = status;
        this.version = version;
        this.retryAfter = retryAfter;
        this.tag = tag;
        this.body = body;
        this.lease = lease;
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** Of HTTP: only the second shares a connection among watches. */
    HttpClient.Version version() {
        return version;
    }

    /** How long the server asked us to stay away. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Names the state of what was asked for, so that it need not be sent again. */
    Optional<String> tag() {
        return tag;
    }

    /** The body as it arrives. */
    public Chunks body() {
        return body;
    }

    /** The whole body of a small answer; an empty object if it is no JSON. */
    public SmallObject small() throws IOException, InterruptedException {
        var whole = new ByteArrayOutputStream();
        for (Optional<byte[]> chunk = body.next(); chunk.isPresent(); chunk = body.next()) {
            whole.writeBytes(chunk.get());
            if (whole.size() > LONGEST_SMALL) {
                throw new IOException("an answer that should be small exceeds " + LONGEST_SMALL + " bytes");
            }
        }
        byte[] bytes = whole.toByteArray();
        try {
            return SmallObject.parse(bytes, 0, bytes.length);
        } catch (MalformedFrameException e) {
            return SmallObject.parse(new byte[] {'{', '}'}, 0, 2);
        }
    }

    /** Takes the connection's client out of use if it does not answer: a dead peer shows in no other way. */
    public void suspectConnection() throws InterruptedException {
        lease.suspect();
    }

    @Override
    public void close() {
        body.cancel();
        lease.close();
    }
}
