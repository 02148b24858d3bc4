package io.evenkeel.cli.bench.soak;

import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is compared of an object: all but what the log leaves out, or names elsewhere. */
final class Content {
    private static final Set<String> NAMED_ELSEWHERE = Set.of("kind", "apiVersion");

    private Content() {}

    static JsonNode of(JsonNode object) {
        if (!(object.deepCopy() instanceof ObjectNode copy)) {
            return object;
        }
        copy.remove(NAMED_ELSEWHERE);
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return copy;
    }
}
