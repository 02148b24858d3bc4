package io.evenkeel.worker.attempt;

/**
 * One object as it lies in the local stores, still as bytes.
 *
 * @param key text of its key
 * @param uid its life
 * @param resourceVersion its version
 * @param json its JSON
 */
@SuppressWarnings("ArrayRecordComponent") // passed by reference and never compared: a copy per attempt would be waste
public record LocalObject(String key, String uid, String resourceVersion, byte[] json) {}
