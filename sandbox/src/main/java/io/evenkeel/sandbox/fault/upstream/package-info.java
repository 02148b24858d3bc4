/** The server behind the proxy: where it is, how to trust it, and plain HTTP to it. */
@NullMarked
package io.evenkeel.sandbox.fault.upstream;

import org.jspecify.annotations.NullMarked;
