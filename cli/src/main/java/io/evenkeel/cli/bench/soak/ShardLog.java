package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import java.util.List;
import java.util.Map;

/**
 * What the topics say of one shard.
 *
 * @param events of each object, in order
 * @param gaps that are marked
 * @param objects newest record of each object
 */
record ShardLog(Map<ObjectKey, List<LoggedEvent>> events, List<Window> gaps, Map<ObjectKey, Newest> objects) {}
