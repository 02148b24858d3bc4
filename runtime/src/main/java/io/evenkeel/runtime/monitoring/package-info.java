/** Metrics and health of a process, and the HTTP endpoint that shows them. */
@NullMarked
package io.evenkeel.runtime.monitoring;

import org.jspecify.annotations.NullMarked;
