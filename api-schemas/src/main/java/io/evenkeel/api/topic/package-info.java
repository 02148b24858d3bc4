/** The topics: their names, partitions and settings, and what is wrong with those that exist. */
@NullMarked
package io.evenkeel.api.topic;

import org.jspecify.annotations.NullMarked;
