/** How every process of ours reaches Kafka, and the topics as they are against the topics as they should be. */
@NullMarked
package io.evenkeel.runtime.kafka;

import org.jspecify.annotations.NullMarked;
