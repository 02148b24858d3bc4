/** Settings: what may be configured, where a value came from, and what is wrong with it. */
@NullMarked
package io.evenkeel.runtime.settings;

import org.jspecify.annotations.NullMarked;
