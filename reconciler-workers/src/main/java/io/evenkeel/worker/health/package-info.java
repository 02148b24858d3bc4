/** Whether a worker still gets on. */
@NullMarked
package io.evenkeel.worker.health;

import org.jspecify.annotations.NullMarked;
