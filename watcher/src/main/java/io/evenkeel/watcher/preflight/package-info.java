/** Whether a watcher would find what it needs, asked before it starts. */
@NullMarked
package io.evenkeel.watcher.preflight;

import org.jspecify.annotations.NullMarked;
