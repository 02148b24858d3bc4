/** Measurements that are run by hand. */
@NullMarked
package io.evenkeel.examples.harness;

import org.jspecify.annotations.NullMarked;
