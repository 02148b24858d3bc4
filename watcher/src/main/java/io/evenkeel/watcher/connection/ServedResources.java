package io.evenkeel.watcher.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The resources of a cluster that can be listed and watched, each in the version of its group that the server likes best.
 *
 * @param types core group first, then in the server's order
 * @param refused status by group, of groups whose resources, or a part of them, could not be learnt
 * @param retryAfter how long the server asked us to stay away when it refused
 * @param askedAt when it was asked for
 */
public record ServedResources(
        List<ResourceType> types, Map<String, Integer> refused, Optional<Duration> retryAfter, Instant askedAt) {
    /** Takes copies. */
    public ServedResources {
        types = List.copyOf(types);
        refused = Map.copyOf(refused);
    }

    /** What is known of one resource. */
    public Discovered find(String group, String plural) {
        Optional<ResourceType> type = types.stream()
                .filter(candidate ->
                        candidate.plural().equals(plural) && candidate.group().equals(group))
                .findFirst();
        if (type.isPresent()) {
            return new Discovered.Present(type.get());
        }
        Integer status = refused.get(group);
        return status == null ? new Discovered.Absent() : new Discovered.Refused(status, retryAfter);
    }
}
