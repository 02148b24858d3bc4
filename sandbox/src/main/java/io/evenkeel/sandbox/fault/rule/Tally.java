package io.evenkeel.sandbox.fault.rule;

/**
 * How often a rule was asked, and how often it said yes.
 *
 * @param matched requests that it is about
 * @param hit those that its trigger chose
 */
public record Tally(long matched, long hit) {
    /** Before the first request. */
    public static final Tally NONE = new Tally(0, 0);

    Tally missed() {
        return new Tally(matched + 1, hit);
    }

    Tally scored() {
        return new Tally(matched + 1, hit + 1);
    }
}
