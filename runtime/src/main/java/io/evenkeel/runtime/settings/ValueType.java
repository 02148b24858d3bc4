package io.evenkeel.runtime.settings;

import java.util.function.Function;

/**
 * Reads and shows the values of a setting.
 *
 * @param <T> type of the value
 */
public interface ValueType<T> {
    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if the text is not an allowed value
     */
    T read(String text);

    /** The value as a text that {@link #read} understands; empty for an absent value. */
    String show(T value);

    /** Which values are allowed, so that "must be …" makes a sentence: {@code a whole number from 1 to 10000}. */
    String allowed();

    /** The same texts as values of another type. */
    default <U> ValueType<U> map(Function<T, U> to, Function<U, T> from) {
        ValueType<T> base = this;
        return new ValueType<>() {
            @Override
            public U read(String text) {
                return to.apply(base.read(text));
            }

            @Override
            public String show(U value) {
                return base.show(from.apply(value));
            }

            @Override
            public String allowed() {
                return base.allowed();
            }
        };
    }
}
