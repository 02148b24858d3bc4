/** The worker's own clients of Kafka, beside those of Kafka Streams. */
@NullMarked
package io.evenkeel.worker.kafka;

import org.jspecify.annotations.NullMarked;
