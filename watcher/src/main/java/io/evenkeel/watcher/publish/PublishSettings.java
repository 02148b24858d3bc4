package io.evenkeel.watcher.publish;

import java.time.Duration;

/**
 * How a publisher groups what it writes.
 *
 * @param transactionAge a transaction is not kept open longer while more is waiting
 * @param transactionRecords nor with more records
 * @param transactionBytes nor with more bytes
 * @param maxRecordBytes a record that would be larger goes without its object
 * @param backlogBytes what may wait for a publisher, in memory
 * @param checkpointInterval how often the position of an idle shard is written
 */
public record PublishSettings(
        Duration transactionAge,
        int transactionRecords,
        long transactionBytes,
        int maxRecordBytes,
        long backlogBytes,
        Duration checkpointInterval) {}
