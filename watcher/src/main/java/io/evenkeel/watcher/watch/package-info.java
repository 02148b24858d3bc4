/** Follows one shard: lists, watches, resumes, and decides what an answer of the API server means. */
@NullMarked
package io.evenkeel.watcher.watch;

import org.jspecify.annotations.NullMarked;
