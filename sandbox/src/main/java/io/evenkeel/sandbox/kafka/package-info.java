/** A real Kafka broker, or three of them, inside this JVM, with the faults that a test wants to see. */
@NullMarked
package io.evenkeel.sandbox.kafka;

import org.jspecify.annotations.NullMarked;
