package io.evenkeel.worker.ledger;

/**
 * The offsets up to which each topic has been folded into one entry; -1 where nothing has.
 *
 * @param objects last folded offset of {@code objects}
 * @param requests last folded offset of {@code requests}
 * @param outcomes last folded offset of {@code outcomes}
 */
public record Positions(long objects, long requests, long outcomes) {
    /** Nothing was folded. */
    public static final Positions NONE = new Positions(-1, -1, -1);

    /** Whether the offset was folded already. */
    public boolean covers(Source source, long offset) {
        return offset <= of(source);
    }

    /** The last folded offset of a topic. */
    public long of(Source source) {
        return switch (source) {
            case OBJECTS -> objects;
            case REQUESTS -> requests;
            case OUTCOMES -> outcomes;
        };
    }

    /** These, with one topic moved to {@code offset}. */
    public Positions with(Source source, long offset) {
        return switch (source) {
            case OBJECTS -> new Positions(offset, requests, outcomes);
            case REQUESTS -> new Positions(objects, offset, outcomes);
            case OUTCOMES -> new Positions(objects, requests, offset);
        };
    }
}
