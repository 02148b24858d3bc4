package io.evenkeel.worker.ledger;

/**
 * What was last applied to a secondary: an equal intent need not be sent again while the object still shows it.
 *
 * @param key text of the secondary's key
 * @param uid its life
 * @param hash of what was sent
 */
public record Applied(String key, String uid, String hash) {}
