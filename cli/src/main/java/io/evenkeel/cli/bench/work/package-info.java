/** Measures reconcile workers on objects that are written straight to the log, in this process or in processes of their own. */
@NullMarked
package io.evenkeel.cli.bench.work;

import org.jspecify.annotations.NullMarked;
