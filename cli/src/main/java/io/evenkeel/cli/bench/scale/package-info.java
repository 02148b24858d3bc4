/** Measures a watcher, and informers beside it, on a simulated fleet, each in a process of its own. */
@NullMarked
package io.evenkeel.cli.bench.scale;

import org.jspecify.annotations.NullMarked;
