/** The engine: a worker process, its settings and its meters. */
@NullMarked
package io.evenkeel.worker;

import org.jspecify.annotations.NullMarked;
