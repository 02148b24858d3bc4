/** One thread and one transactional producer per partition: folds sightings and commits what they lead to at once. */
@NullMarked
package io.evenkeel.watcher.publish;

import org.jspecify.annotations.NullMarked;
