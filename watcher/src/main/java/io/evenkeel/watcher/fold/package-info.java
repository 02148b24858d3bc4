/** The pure core: what a sighting of an object means against what is known of it, and where a watch may resume. */
@NullMarked
package io.evenkeel.watcher.fold;

import org.jspecify.annotations.NullMarked;
