/** The recorded past of a collection, and answers out of it. */
@NullMarked
package io.evenkeel.sandbox.fault.stale;

import org.jspecify.annotations.NullMarked;
