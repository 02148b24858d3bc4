/** Tests of the simulated Kubernetes API. */
@NullMarked
package io.evenkeel.sandbox.kube;

import org.jspecify.annotations.NullMarked;
