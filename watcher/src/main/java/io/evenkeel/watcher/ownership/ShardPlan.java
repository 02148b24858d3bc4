package io.evenkeel.watcher.ownership;

import io.evenkeel.api.record.Selection;

/**
 * How a shard is to be followed; a watch goes on as long as this stays equal.
 *
 * @param selection what is watched of the resource
 * @param clusterLife another number once the cluster was removed and came back
 */
public record ShardPlan(Selection selection, long clusterLife) {}
