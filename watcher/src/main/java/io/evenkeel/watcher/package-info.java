@NullMarked
package io.evenkeel.watcher;

import org.jspecify.annotations.NullMarked;
