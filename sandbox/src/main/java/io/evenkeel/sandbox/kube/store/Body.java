package io.evenkeel.sandbox.kube.store;

/** How the bytes of a {@link Stored} are kept. Immutable. */
sealed interface Body {
    /** The bytes; the same array or an equal one each time. */
    byte[] bytes();

    /** As they came. */
    final class Plain implements Body {
        private final byte[] bytes;

        Plain(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }
    }

    /** Packed by a dictionary that many share. */
    final class Packed implements Body {
        private final byte[] packed;
        private final int length;
        private final Dictionary dictionary;

        Packed(byte[] packed, int length, Dictionary dictionary) {
            this.packed = packed;
            this.length = length;
            this.dictionary = dictionary;
        }

        @Override
        public byte[] bytes() {
            return dictionary.unpack(packed, length);
        }
    }
}
