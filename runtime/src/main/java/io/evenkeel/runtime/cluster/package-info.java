/** Which Kubernetes clusters a process works on, and how to reach them. */
@NullMarked
package io.evenkeel.runtime.cluster;

import org.jspecify.annotations.NullMarked;
