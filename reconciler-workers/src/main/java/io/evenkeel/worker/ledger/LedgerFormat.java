package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.DeadLetter.FailedAttempt;
import io.evenkeel.api.record.DeadLetter.Reason;
import io.evenkeel.api.record.Failure;
import io.evenkeel.worker.ledger.KeyState.Idle;
import io.evenkeel.worker.ledger.KeyState.Kind;
import io.evenkeel.worker.ledger.KeyState.Parked;
import io.evenkeel.worker.ledger.KeyState.Pending;
import io.evenkeel.worker.ledger.KeyState.Running;
import io.evenkeel.worker.ledger.KeyState.Waiting;
import java.time.Instant;
import java.util.List;

/**
 * An entry as bytes: a schema version, the state's tag, then the parts. The tag stands second, so that a scan for work
 * can pass over idle entries without reading them.
 */
public final class LedgerFormat {
    /** Version that this program writes. A later program reads it too; an earlier one refuses to start. */
    public static final byte VERSION = 2;

    /**
     * The first version, which this program reads as its own: the second knows one lane and one kind of waiting more, and
     * lays out everything else the same way.
     */
    private static final byte FIRST_VERSION = 1;

    private static final byte IDLE = 0;
    private static final byte PENDING = 1;
    private static final byte RUNNING = 2;
    private static final byte WAITING = 3;
    private static final byte PARKED = 4;

    private static final byte UNSEEN = 0;
    private static final byte PRESENT = 1;
    private static final byte GONE = 2;
    private static final byte LEFT = 3;

    private LedgerFormat() {}

    /** Whether the entry of these bytes has nothing to do, without reading it. */
    public static boolean isIdle(byte[] bytes) {
        return bytes.length > 1 && isKnown(bytes[0]) && bytes[1] == IDLE;
    }

    /** The entry as bytes. */
    public static byte[] write(LedgerEntry entry) {
        var out = new ByteWriter(192);
        out.writeByte(VERSION);
        out.writeByte(tag(entry.state()));
        writePrimary(out, entry.primary());
        out.writeLong(entry.positions().objects());
        out.writeLong(entry.positions().requests());
        out.writeLong(entry.positions().outcomes());
        out.writeBoolean(entry.letter());
        writeFailures(out, entry.failures());
        out.writeList(entry.ownWrites(), write -> {
            out.writeText(write.key());
            out.writeText(write.resourceVersion());
        });
        out.writeList(entry.applied(), applied -> {
            out.writeText(applied.key());
            out.writeText(applied.uid());
            out.writeText(applied.hash());
        });
        writeState(out, entry.state());
        return out.toBytes();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws UnknownFormatException if a newer program wrote it
     */
    public static LedgerEntry read(byte[] bytes) {
        var in = new ByteReader(bytes);
        byte version = in.readByte();
        if (!isKnown(version)) {
            throw new UnknownFormatException(
                    "the ledger was written in format " + version + " but this program reads formats up to " + VERSION
                            + ". Run the program that wrote it, or a newer one");
        }
        byte tag = in.readByte();
        Primary primary = readPrimary(in);
        var positions = new Positions(in.readLong(), in.readLong(), in.readLong());
        boolean letter = in.readBoolean();
        Failures failures = readFailures(in);
        List<OwnWrite> ownWrites = in.readList(() -> new OwnWrite(in.readText(), in.readText()));
        List<Applied> applied = in.readList(() -> new Applied(in.readText(), in.readText(), in.readText()));
        return new LedgerEntry(primary, positions, readState(in, tag), failures, ownWrites, applied, letter);
    }

    private static boolean isKnown(byte version) {
        return version >= FIRST_VERSION && version <= VERSION;
    }

    private static byte tag(KeyState state) {
        return switch (state) {
            case Idle idle -> IDLE;
            case Pending pending -> PENDING;
            case Running running -> RUNNING;
            case Waiting waiting -> WAITING;
            case Parked parked -> PARKED;
        };
    }

    private static void writePrimary(ByteWriter out, Primary primary) {
        switch (primary) {
            case Primary.Unseen unseen -> out.writeByte(UNSEEN);
            case Primary.Present present -> {
                out.writeByte(PRESENT);
                writeSighting(out, present.sighting());
            }
            case Primary.Left left -> {
                out.writeByte(LEFT);
                writeSighting(out, left.last());
            }
            case Primary.Gone gone -> {
                out.writeByte(GONE);
                out.writeText(gone.uid());
            }
        }
    }

    private static Primary readPrimary(ByteReader in) {
        byte tag = in.readByte();
        return switch (tag) {
            case UNSEEN -> new Primary.Unseen();
            case PRESENT -> new Primary.Present(readSighting(in));
            case GONE -> new Primary.Gone(in.readText());
            case LEFT -> new Primary.Left(readSighting(in));
            default -> throw new UnknownFormatException("unknown tag of a primary in the ledger: " + tag);
        };
    }

    private static void writeSighting(ByteWriter out, Sighting sighting) {
        out.writeText(sighting.uid());
        out.writeText(sighting.resourceVersion());
        out.writeLong(sighting.generation());
        out.writeBoolean(sighting.deleting());
        out.writeLong(sighting.epoch());
    }

    private static Sighting readSighting(ByteReader in) {
        return new Sighting(in.readText(), in.readText(), in.readLong(), in.readBoolean(), in.readLong());
    }

    private static void writeFailures(ByteWriter out, Failures failures) {
        out.writeInt(failures.count());
        if (failures.count() == 0) {
            return;
        }
        out.writeInstant(failures.firstAt());
        out.writeText(failures.last().type());
        out.writeText(failures.last().message());
        out.writeText(failures.last().stackTrace());
        out.writeList(failures.history(), attempt -> {
            out.writeText(attempt.attemptId());
            out.writeInstant(attempt.at());
            out.writeText(attempt.type());
            out.writeText(attempt.message());
        });
    }

    private static Failures readFailures(ByteReader in) {
        int count = in.readInt();
        if (count == 0) {
            return Failures.NONE;
        }
        Instant first = in.readInstant();
        var last = new Failure(in.readText(), in.readText(), in.readText());
        return new Failures(
                count,
                first,
                last,
                in.readList(() -> new FailedAttempt(in.readText(), in.readInstant(), in.readText(), in.readText())));
    }

    private static void writeState(ByteWriter out, KeyState state) {
        switch (state) {
            case Idle idle -> {}
            case Pending pending -> {
                out.writeByte(pending.lane().code());
                writeCauses(out, pending.causes());
            }
            case Running running -> {
                out.writeText(running.attemptId());
                writeSighting(out, running.handled());
                out.writeInstant(running.startedAt());
                writeCauses(out, running.causes());
                out.writeBoolean(running.seen().flooded());
                out.writeList(running.seen().changes(), change -> {
                    out.writeText(change.key());
                    out.writeText(change.resourceVersion());
                    out.writeByte(change.lane().code());
                    out.writeBoolean(change.spec());
                    writeCause(out, change.cause());
                });
            }
            case Waiting waiting -> {
                out.writeByte(code(waiting.kind()));
                out.writeInstant(waiting.due());
                out.writeInstant(waiting.since());
                out.writeText(waiting.why());
            }
            case Parked parked -> {
                out.writeText(parked.reason().name());
                out.writeInstant(parked.at());
            }
        }
    }

    private static KeyState readState(ByteReader in, byte tag) {
        return switch (tag) {
            case IDLE -> new Idle();
            case PENDING -> new Pending(Lane.of(in.readByte()), readCauses(in));
            case RUNNING -> readRunning(in);
            case WAITING -> new Waiting(kind(in.readByte()), in.readInstant(), in.readInstant(), in.readText());
            case PARKED -> new Parked(Reason.valueOf(in.readText()), in.readInstant());
            default -> throw new UnknownFormatException("unknown state in the ledger: " + tag);
        };
    }

    /** The first version wrote whether it is a requeue, as 0 or 1. */
    private static byte code(Kind kind) {
        return switch (kind) {
            case RETRY -> 0;
            case REQUEUE -> 1;
            case RESYNC -> 2;
        };
    }

    private static Kind kind(byte code) {
        return switch (code) {
            case 0 -> Kind.RETRY;
            case 1 -> Kind.REQUEUE;
            case 2 -> Kind.RESYNC;
            default -> throw new UnknownFormatException("unknown kind of waiting in the ledger: " + code);
        };
    }

    private static Running readRunning(ByteReader in) {
        String attemptId = in.readText();
        Sighting handled = readSighting(in);
        Instant startedAt = in.readInstant();
        List<Cause> causes = readCauses(in);
        boolean flooded = in.readBoolean();
        List<Seen.Change> changes = in.readList(() ->
                new Seen.Change(in.readText(), in.readText(), Lane.of(in.readByte()), in.readBoolean(), readCause(in)));
        return new Running(attemptId, handled, startedAt, causes, new Seen(changes, flooded));
    }

    private static void writeCauses(ByteWriter out, List<Cause> causes) {
        out.writeList(causes, cause -> writeCause(out, cause));
    }

    private static List<Cause> readCauses(ByteReader in) {
        return in.readList(() -> readCause(in));
    }

    private static void writeCause(ByteWriter out, Cause cause) {
        out.writeText(cause.type());
        out.writeOptional(cause.eventId());
        out.writeText(cause.detail());
        out.writeInstant(cause.at());
    }

    private static Cause readCause(ByteReader in) {
        return new Cause(in.readText(), in.readOptional(), in.readText(), in.readInstant());
    }
}
