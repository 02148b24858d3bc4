/** A simulated Kubernetes API: one HTTPS server that plays one cluster or many. */
@NullMarked
package io.evenkeel.sandbox.kube;

import org.jspecify.annotations.NullMarked;
