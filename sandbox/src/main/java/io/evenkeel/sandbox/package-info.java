/** What one machine needs instead of a cluster; the parts are in the packages below, shared pieces are here. */
@NullMarked
package io.evenkeel.sandbox;

import org.jspecify.annotations.NullMarked;
