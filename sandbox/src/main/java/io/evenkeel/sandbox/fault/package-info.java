/** A reverse proxy before a Kubernetes API server that misbehaves on purpose, repeatably, and counts what it did. */
@NullMarked
package io.evenkeel.sandbox.fault;

import org.jspecify.annotations.NullMarked;
