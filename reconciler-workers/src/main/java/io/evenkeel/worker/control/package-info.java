/** What people tell workers: pauses. */
@NullMarked
package io.evenkeel.worker.control;

import org.jspecify.annotations.NullMarked;
