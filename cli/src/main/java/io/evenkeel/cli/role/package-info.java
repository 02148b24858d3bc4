/** {@code evenkeel watcher} and {@code evenkeel worker}: one role as a process of its own. */
@NullMarked
package io.evenkeel.cli.role;

import org.jspecify.annotations.NullMarked;
