package io.evenkeel.worker.task;

import io.evenkeel.api.topic.Topic;

/**
 * Where a record goes.
 *
 * @param topic the topic
 * @param partition its partition
 * @param key text of the record's key
 */
public record Routed(Topic topic, int partition, String key) {}
