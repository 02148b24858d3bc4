/** The timing wheel that the retry topics form. */
@NullMarked
package io.evenkeel.worker.retry;

import org.jspecify.annotations.NullMarked;
