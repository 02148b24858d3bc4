package io.evenkeel.api.record;

/**
 * What went wrong in an attempt.
 *
 * @param type class of the error, such as {@code java.net.ConnectException}, or a word of ours such as {@code WORKER_LOST}
 * @param message the error's message, at most 4,096 characters
 * @param stackTrace the first frames, at most 16,384 characters; empty if there is none
 */
public record Failure(String type, String message, String stackTrace) {
    /** Longest message, in characters. */
    public static final int LONGEST_MESSAGE = 4_096;

    /** Longest stack trace, in characters. */
    public static final int LONGEST_STACK_TRACE = 16_384;

    /** Cuts what is too long. */
    public Failure {
        message = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
        stackTrace =
                stackTrace.length() <= LONGEST_STACK_TRACE ? stackTrace : stackTrace.substring(0, LONGEST_STACK_TRACE);
    }
}
