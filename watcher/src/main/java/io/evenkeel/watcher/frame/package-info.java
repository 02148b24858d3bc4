/** Reads lists and watch frames as bytes: what identifies an object, hashes of its sections, and its JSON spliced. */
@NullMarked
package io.evenkeel.watcher.frame;

import org.jspecify.annotations.NullMarked;
