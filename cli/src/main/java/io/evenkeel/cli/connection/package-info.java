/** How a command finds Kafka, and reads a topic in order of time. */
@NullMarked
package io.evenkeel.cli.connection;

import org.jspecify.annotations.NullMarked;
