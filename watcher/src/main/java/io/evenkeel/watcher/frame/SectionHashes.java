package io.evenkeel.watcher.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/** XXH64 of the bytes of each section that an object has. Immutable. */
public final class SectionHashes {
    /** No section at all. */
    public static final SectionHashes NONE = new SectionHashes(0, new long[Section.values().length]);

    private static final Section[] SECTIONS = Section.values();

    private final int present;
    private final long[] hashes;

    private SectionHashes(int present, long[] hashes) {
        this.present = present;
        this.hashes = hashes;
    }

    /** Sections that these have, in order. */
    public List<String> present() {
        return changedSince(NONE);
    }

    /** Sections that differ from those of {@code before}, appeared or went, in order. */
    public List<String> changedSince(SectionHashes before) {
        var changed = new ArrayList<String>(SECTIONS.length);
        for (Section section : SECTIONS) {
            int index = section.number();
            if (has(index) != before.has(index) || hashes[index] != before.hashes[index]) {
                changed.add(section.path());
            }
        }
        return changed;
    }

    /** Appends these to {@code out}: which are present in one byte, then 8 bytes for each of them. */
    public void writeTo(ByteBuffer out) {
        out.put((byte) present);
        for (int i = 0; i < hashes.length; i++) {
            if (has(i)) {
                out.putLong(hashes[i]);
            }
        }
    }

    /** Reads what {@link #writeTo} wrote. */
    public static SectionHashes readFrom(ByteBuffer in) {
        int present = in.get() & 0xff;
        long[] hashes = new long[SECTIONS.length];
        for (int i = 0; i < hashes.length; i++) {
            if ((present & 1 << i) != 0) {
                hashes[i] = in.getLong();
            }
        }
        return new SectionHashes(present, hashes);
    }

    private boolean has(int index) {
        return (present & 1 << index) != 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SectionHashes that && present == that.present && Arrays.equals(hashes, that.hashes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(hashes);
    }

    @Override
    public String toString() {
        return present().toString();
    }

    /** Collects the hashes of one object. Not thread-safe. */
    static final class Builder {
        // The one without native code and without sun.misc.Unsafe, about which newer JVMs complain on standard error.
        private static final XXHash64 XXH64 = XXHashFactory.safeInstance().hash64();

        private final long[] hashes = new long[SECTIONS.length];
        private int present;

        void set(Section section, byte[] json, int from, int to) {
            hashes[section.number()] = XXH64.hash(json, from, to - from, 0);
            present |= 1 << section.number();
        }

        /** Adds a field to {@link Section#DATA}; the order of fields does not matter. */
        void addData(byte[] json, int nameFrom, int from, int to) {
            hashes[Section.DATA.number()] += XXH64.hash(json, nameFrom, to - nameFrom, from - nameFrom);
            present |= 1 << Section.DATA.number();
        }

        SectionHashes build() {
            return new SectionHashes(present, hashes);
        }
    }
}
