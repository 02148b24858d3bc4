package io.evenkeel.api.record;

/**
 * A record of another topic that a worker could not read and put on {@code dead-letters} with its bytes, so that nothing is
 * lost and no partition stands still. Its key is {@code undecodable/<topic>/<partition>/<offset>}, its value those bytes.
 */
public final class Undecodable {
    /** What its key begins with; no controller key does, for it has six parts. */
    public static final String PREFIX = "undecodable/";

    /** Header with what was wrong, in UTF-8. */
    public static final String ERROR = "error";

    /** Header with the record's own key, if it had one. */
    public static final String KEY = "key";

    private Undecodable() {}

    /** Key of such a record: the same when the original is read again. */
    public static String key(String topic, int partition, long offset) {
        return PREFIX + topic + "/" + partition + "/" + offset;
    }

    /** Whether that is the key of such a record. */
    public static boolean isKey(String key) {
        return key.startsWith(PREFIX);
    }
}
