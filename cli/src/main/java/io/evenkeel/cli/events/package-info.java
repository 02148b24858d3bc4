/** {@code evenkeel events}: the change events. */
@NullMarked
package io.evenkeel.cli.events;

import org.jspecify.annotations.NullMarked;
