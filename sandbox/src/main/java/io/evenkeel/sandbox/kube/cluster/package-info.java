/** One simulated cluster: what reads, writes and deletions do to its objects. */
@NullMarked
package io.evenkeel.sandbox.kube.cluster;

import org.jspecify.annotations.NullMarked;
