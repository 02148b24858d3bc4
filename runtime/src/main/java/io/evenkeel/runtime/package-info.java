@NullMarked
package io.evenkeel.runtime;

import org.jspecify.annotations.NullMarked;
