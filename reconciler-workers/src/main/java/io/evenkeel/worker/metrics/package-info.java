/** What the engine counts and times. */
@NullMarked
package io.evenkeel.worker.metrics;

import org.jspecify.annotations.NullMarked;
