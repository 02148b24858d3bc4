package io.evenkeel.worker.dispatch;

import io.evenkeel.worker.ledger.Lane;

/**
 * One key that waits for a permit. A key may have several tickets, when it was moved to another lane; whoever is granted
 * one looks at the ledger first, so that a stale ticket only costs a look.
 *
 * @param key text of the {@link io.evenkeel.api.ControllerKey}
 * @param cluster the primary's cluster
 * @param namespace the primary's namespace, {@code _} if it has none
 * @param lane where it waits
 * @param holder whom to tell
 */
public record Ticket(String key, String cluster, String namespace, Lane lane, Holder holder) {
    /** A ticket for a controller key's text. */
    public static Ticket of(String key, Lane lane, Holder holder) {
        int cluster = key.indexOf('/') + 1;
        int group = key.indexOf('/', cluster) + 1;
        int kind = key.indexOf('/', group) + 1;
        int namespace = key.indexOf('/', kind) + 1;
        return new Ticket(
                key,
                key.substring(cluster, group - 1),
                key.substring(namespace, key.indexOf('/', namespace)),
                lane,
                holder);
    }

    /** Takes permits for its keys. */
    public interface Holder {
        /**
         * A permit was reserved for the ticket; whoever does not start an attempt with it must release it. Called on any
         * thread, must not block.
         */
        void granted(Ticket ticket);

        /** Whether its tickets are void, because the partition was given away. */
        boolean isClosed();
    }
}
