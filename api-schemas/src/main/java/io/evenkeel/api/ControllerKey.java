package io.evenkeel.api;

/**
 * Names the work of one controller for one primary: {@code <controller>/<ObjectKey>}; the key of requests, outcomes,
 * retries and dead letters.
 *
 * @param controller name of the controller, lower case letters, digits, {@code -} and {@code .}
 * @param primary the object that it reconciles
 */
public record ControllerKey(String controller, ObjectKey primary) {
    private static final int LONGEST_NAME = 63;

    /** @throws IllegalArgumentException if the controller's name is malformed */
    public ControllerKey {
        if (!isName(controller)) {
            throw new IllegalArgumentException("a controller's name has 1 to 63 lower case letters, digits, '-' or '.',"
                    + " and starts and ends with a letter or digit, but this is '" + controller + "'");
        }
    }

    /** Whether a controller, or the worker that it belongs to, may have that name. */
    public static boolean isName(String text) {
        int length = text.length();
        if (length == 0
                || length > LONGEST_NAME
                || isPunctuation(text.charAt(0))
                || isPunctuation(text.charAt(length - 1))) {
            return false;
        }
        for (int i = 0;
                i < length;
                i++) { // runs for every record that a worker reads: a pattern would show in its profile
            char c = text.charAt(i);
            if (!(isPunctuation(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPunctuation(char c) {
        return c == '-' || c == '.';
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if the text is not a controller and an object key
     */
    public static ControllerKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "a controller key has the form controller/<object key> but this is '" + text + "'");
        }
        return new ControllerKey(text.substring(0, slash), ObjectKey.parse(text.substring(slash + 1)));
    }

    @Override
    public String toString() {
        return controller + "/" + primary;
    }
}
