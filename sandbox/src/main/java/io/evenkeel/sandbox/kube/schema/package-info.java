/** Schemas of built-in and custom kinds, and what is derived from them: defaults, pruning, validation. */
@NullMarked
package io.evenkeel.sandbox.kube.schema;

import org.jspecify.annotations.NullMarked;
