package io.evenkeel.api;

/**
 * A resourceVersion, compared as a number. Kubernetes promises since 1.35 that the versions of one resource of one
 * cluster are ordered so; versions of different resources or clusters must not be compared.
 *
 * @param value 0 or more
 */
public record ResourceVersion(long value) implements Comparable<ResourceVersion> {
    /** @throws IllegalArgumentException if negative */
    public ResourceVersion {
        if (value < 0) {
            throw new IllegalArgumentException("a resourceVersion is 0 or more but this is " + value);
        }
    }

    /** @throws IllegalArgumentException if the text is not a decimal number */
    public static ResourceVersion parse(String text) {
        try {
            return new ResourceVersion(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a resourceVersion is a decimal number but this is '" + text + "'", e);
        }
    }

    /** Whether this is newer than {@code other}. */
    public boolean isAfter(ResourceVersion other) {
        return value > other.value;
    }

    @Override
    public int compareTo(ResourceVersion other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
