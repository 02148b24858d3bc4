/** Stopping work for a while, and going on with it. */
@NullMarked
package io.evenkeel.cli.pause;

import org.jspecify.annotations.NullMarked;
