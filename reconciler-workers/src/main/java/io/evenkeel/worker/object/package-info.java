/** What the engine itself must know of an object's JSON. */
@NullMarked
package io.evenkeel.worker.object;

import org.jspecify.annotations.NullMarked;
