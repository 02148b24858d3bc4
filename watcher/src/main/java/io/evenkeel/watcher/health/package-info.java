/** How each shard fares. */
@NullMarked
package io.evenkeel.watcher.health;

import org.jspecify.annotations.NullMarked;
