/** A real Kubernetes control plane from binaries on this machine: the first choice of a test that has them. */
@NullMarked
package io.evenkeel.sandbox.real;

import org.jspecify.annotations.NullMarked;
