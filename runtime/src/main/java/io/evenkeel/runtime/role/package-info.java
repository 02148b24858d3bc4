/** A role, such as watcher or worker, as a process of its own. */
@NullMarked
package io.evenkeel.runtime.role;

import org.jspecify.annotations.NullMarked;
