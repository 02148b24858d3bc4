/** A fleet of simulated clusters, filled and kept changing by one seed. */
@NullMarked
package io.evenkeel.sandbox.fleet;

import org.jspecify.annotations.NullMarked;
