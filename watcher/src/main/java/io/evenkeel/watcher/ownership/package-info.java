/** Which partitions of watch-state this process owns, and how it takes one over and lets it go. */
@NullMarked
package io.evenkeel.watcher.ownership;

import org.jspecify.annotations.NullMarked;
