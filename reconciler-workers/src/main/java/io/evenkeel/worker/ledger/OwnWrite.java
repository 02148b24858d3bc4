package io.evenkeel.worker.ledger;

/**
 * A write of a finished attempt whose event has not been folded yet.
 *
 * @param key text of the written object's key
 * @param resourceVersion version that the API server answered
 */
public record OwnWrite(String key, String resourceVersion) {}
