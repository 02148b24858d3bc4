/** {@code evenkeel dev}: the whole engine on one machine, in one process. */
@NullMarked
package io.evenkeel.cli.dev;

import org.jspecify.annotations.NullMarked;
