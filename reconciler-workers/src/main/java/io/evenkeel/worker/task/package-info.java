/** One partition's work: folds its topics into the stores, hands attempts out, performs effects. */
@NullMarked
package io.evenkeel.worker.task;

import org.jspecify.annotations.NullMarked;
