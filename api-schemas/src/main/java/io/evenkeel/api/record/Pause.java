package io.evenkeel.api.record;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/**
 * Work that people have stopped, on {@code controls} under {@link #key()}; a tombstone resumes it. What is absent stands
 * for all; one of the three is there.
 *
 * @param controller name of the controller
 * @param cluster id of the cluster; absent if there is an object, whose key says it
 * @param object text of the primary's {@link ObjectKey}
 * @param reason for people
 * @param by who, as far as it is known
 * @param at when
 */
public record Pause(
        Optional<String> controller,
        Optional<String> cluster,
        Optional<String> object,
        String reason,
        String by,
        Instant at) {
    private static final String ALL = "*";

    /** @throws IllegalArgumentException if it would pause everything, or names a cluster twice */
    public Pause {
        if (controller.isEmpty() && cluster.isEmpty() && object.isEmpty()) {
            throw new IllegalArgumentException("a pause names a controller, a cluster or an object");
        }
        if (cluster.isPresent() && object.isPresent()) {
            throw new IllegalArgumentException("a pause of an object names its cluster in the object's key");
        }
        object.ifPresent(ObjectKey::parse);
    }

    /** The key under which it lies on its topic: {@code <controller or *>/<object, cluster or *>}. */
    public String key() {
        return controller.orElse(ALL) + "/" + object.or(() -> cluster).orElse(ALL);
    }

    /** Whether it stops all work of a controller on a cluster. */
    public boolean covers(String otherController, String otherCluster) {
        return object.isEmpty()
                && controller.map(otherController::equals).orElse(true)
                && cluster.map(otherCluster::equals).orElse(true);
    }

    /** Whether it stops the work for one key. */
    public boolean covers(ControllerKey other) {
        return object.map(other.primary().toString()::equals).orElse(true)
                && controller.map(other.controller()::equals).orElse(true)
                && cluster.map(other.primary().cluster()::equals).orElse(true);
    }
}
