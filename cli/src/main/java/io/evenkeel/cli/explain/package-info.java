/** Why something was done, and what is still to be done. */
@NullMarked
package io.evenkeel.cli.explain;

import org.jspecify.annotations.NullMarked;
