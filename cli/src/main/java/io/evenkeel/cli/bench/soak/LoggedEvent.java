package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One event of an object, as it stands on the log.
 *
 * @param content the object as {@link Content} shows it; absent if the event has none
 */
record LoggedEvent(
        ChangeType type, long version, String uid, Origin origin, boolean finalStateKnown, Optional<JsonNode> content) {
    @Override
    public String toString() {
        return type + " " + version + " " + uid + " " + origin + (finalStateKnown ? "" : " inferred");
    }
}
