package io.evenkeel.cli.bench.soak;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The newest record of an object on {@code objects}.
 *
 * @param uid of its headers
 * @param version of its headers
 * @param content its value; absent for a tombstone
 */
record Newest(String uid, long version, Optional<JsonNode> content) {}
