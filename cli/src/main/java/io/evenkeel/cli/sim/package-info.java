/** {@code evenkeel sim}: a fleet of simulated clusters on this machine. */
@NullMarked
package io.evenkeel.cli.sim;

import org.jspecify.annotations.NullMarked;
