/** An operator that is a state machine. */
@NullMarked
package io.evenkeel.examples.webapp;

import org.jspecify.annotations.NullMarked;
