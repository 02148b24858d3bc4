package io.evenkeel.api.record;

import java.util.Optional;

/**
 * One write of an attempt to the Kubernetes API.
 *
 * @param verb {@code apply}, {@code create}, {@code update}, {@code patch} or {@code delete}
 * @param key text of the written object's {@link io.evenkeel.api.ObjectKey}
 * @param subresource {@code status} or absent
 * @param uid uid of the written object, as answered
 * @param resourceVersion version that the API server answered; that of a change event of the same object is equal. Absent
 *     where the answer has none, as of a deletion
 * @param hash hash of what was sent, to compare intents
 */
public record Write(
        String verb,
        String key,
        Optional<String> subresource,
        Optional<String> uid,
        Optional<String> resourceVersion,
        String hash) {}
