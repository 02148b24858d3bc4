/** What it takes to be a process: start or say why not, run, stop in order. */
@NullMarked
package io.evenkeel.runtime.process;

import org.jspecify.annotations.NullMarked;
