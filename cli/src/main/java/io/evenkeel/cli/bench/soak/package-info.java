/** Random histories with faults and restarts; what the watcher logs of them is compared with what the servers did. */
@NullMarked
package io.evenkeel.cli.bench.soak;

import org.jspecify.annotations.NullMarked;
