package io.evenkeel.sandbox.kube.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a store in one file: the objects at the start of the history window, then every change since. Each write is
 * handed to the operating system before it is answered and never forced to disk: it survives the death of the process,
 * not of the machine. A record that was cut off ends the file. Called under the store's lock.
 */
public final class Journal implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Journal.class);
    private static final byte POSITION = 0;
    private static final byte OBJECT = 1;
    private static final byte CHANGED = 2;
    private static final byte DELETED = 3;
    /** A file is rewritten when it holds this many changes more than the window needs. */
    private static final int SLACK = 50_000;

    private final Path file;
    private final Store store;
    private FileChannel channel;
    private int changes;

    private Journal(Path file, Store store, FileChannel channel) {
        this.file = file;
        this.store = store;
        this.channel = channel;
    }

    /** Fills {@code store}, which must be empty, from the folder and records every later change there. */
    public static Journal open(Path folder, Store store) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("objects.journal");
        if (Files.exists(file)) {
            load(file, store);
        }
        Journal journal = new Journal(file, store, rewrite(file, store));
        store.recordTo(journal::append);
        return journal;
    }

    private static void load(Path file, Store store) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                byte kind = in.readByte();
                long revision = in.readLong();
                String type = new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
                String key = new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
                int length = in.readInt();
                byte[] body = in.readNBytes(length);
                if (body.length < length || in.readInt() != checksum(revision, body)) {
                    log.atWarn().addKeyValue("file", file).log("journal ends in a damaged record, which is dropped");
                    return;
                }
                Stored stored = new Stored(key, revision, body);
                switch (kind) {
                    case POSITION -> store.restorePosition(revision);
                    case OBJECT -> store.restore(ObjectType.parse(type), stored);
                    default -> store.replay(ObjectType.parse(type), kind == DELETED, stored);
                }
            }
        } catch (EOFException e) {
            log.atDebug().addKeyValue("file", file).log("journal read");
        }
    }

    private static FileChannel rewrite(Path file, Store store) throws IOException {
        Path fresh = file.resolveSibling("objects.journal.new");
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(fresh)))) {
            long start = store.compactedRevision();
            out.write(encode(POSITION, "", "", start, new byte[0]).array());
            for (ObjectType type : store.types()) {
                for (Stored object : store.listAt(type, "", start).objects()) {
                    out.write(encode(OBJECT, type.toString(), object.key(), object.revision(), object.body())
                            .array());
                }
            }
            for (Change change : store.window()) {
                out.write(encode(change).array());
            }
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    private void append(Change change) {
        try {
            if (++changes > SLACK) {
                channel.close();
                channel = rewrite(file, store);
                changes = 0;
            }
            ByteBuffer record = encode(change);
            while (record.hasRemaining()) {
                channel.write(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static ByteBuffer encode(Change change) {
        byte kind = change.kind() == Change.Kind.DELETED ? DELETED : CHANGED;
        Stored after = change.after();
        return encode(kind, change.type().toString(), after.key(), after.revision(), after.body());
    }

    private static ByteBuffer encode(byte kind, String type, String key, long revision, byte[] body) {
        byte[] typeBytes = type.getBytes(StandardCharsets.UTF_8);
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer record = ByteBuffer.allocate(21 + typeBytes.length + keyBytes.length + body.length);
        record.put(kind).putLong(revision);
        record.putShort((short) typeBytes.length).put(typeBytes);
        record.putShort((short) keyBytes.length).put(keyBytes);
        record.putInt(body.length).put(body).putInt(checksum(revision, body));
        return record.flip();
    }

    private static int checksum(long revision, byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.allocate(8).putLong(revision).flip());
        crc.update(body);
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        store.recordTo(change -> {});
        channel.close();
    }
}
