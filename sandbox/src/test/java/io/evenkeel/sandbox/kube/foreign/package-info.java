/** Client libraries and operators of others, unchanged, on the simulated server. */
@NullMarked
package io.evenkeel.sandbox.kube.foreign;

import org.jspecify.annotations.NullMarked;
