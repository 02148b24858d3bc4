/** What a Kubernetes API promises, as cases that run against the simulated and against a real server. */
@NullMarked
package io.evenkeel.sandbox.kube.contract;

import org.jspecify.annotations.NullMarked;
