package io.evenkeel.watcher.health;

import io.evenkeel.api.record.ShardState;
import java.time.Instant;

/**
 * State of a shard.
 *
 * @param state how it fares
 * @param since when that began
 * @param detail what is wrong, for people; empty if nothing is
 */
public record ShardStatus(ShardState state, Instant since, String detail) {}
