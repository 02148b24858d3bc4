/** The HTTPS edge: routing, streams of watch frames, certificates. */
@NullMarked
package io.evenkeel.sandbox.kube.server;

import org.jspecify.annotations.NullMarked;
