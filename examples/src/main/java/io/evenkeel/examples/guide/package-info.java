/** The code of {@code docs/writing-a-reconciler.md}, so that it is compiled in every build. */
@NullMarked
package io.evenkeel.examples.guide;

import org.jspecify.annotations.NullMarked;
