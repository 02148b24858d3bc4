/** Which Kubernetes cluster a process works on. */
@NullMarked
package io.evenkeel.runtime.cluster;

import org.jspecify.annotations.NullMarked;
