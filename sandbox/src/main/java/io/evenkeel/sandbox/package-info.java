@NullMarked
package io.evenkeel.sandbox;

import org.jspecify.annotations.NullMarked;
