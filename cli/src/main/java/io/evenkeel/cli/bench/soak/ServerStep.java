package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.record.ChangeType;
import tools.jackson.databind.JsonNode;

/**
 * One step of an object, as its server did it.
 *
 * @param version resourceVersion
 * @param type what happened
 * @param uid whose life
 * @param content the object as {@link Content} shows it
 */
record ServerStep(long version, ChangeType type, String uid, JsonNode content) {
    @Override
    public String toString() {
        return type + " " + version + " " + uid;
    }
}
