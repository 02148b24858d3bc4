/** One run of a handler: its snapshot, its writes, its outcome. */
@NullMarked
package io.evenkeel.worker.attempt;

import org.jspecify.annotations.NullMarked;
