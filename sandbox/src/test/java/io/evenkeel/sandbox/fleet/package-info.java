@NullMarked
package io.evenkeel.sandbox.fleet;

import org.jspecify.annotations.NullMarked;
