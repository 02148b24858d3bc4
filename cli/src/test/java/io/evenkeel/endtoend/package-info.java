/** The whole way, from a write to the Kubernetes API to a reconciled object, on real parts. */
@NullMarked
package io.evenkeel.endtoend;

import org.jspecify.annotations.NullMarked;
