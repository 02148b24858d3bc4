/** Log lines: for people by default, as JSON for machines. */
@NullMarked
package io.evenkeel.runtime.logging;

import org.jspecify.annotations.NullMarked;
