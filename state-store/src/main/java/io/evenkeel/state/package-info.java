@NullMarked
package io.evenkeel.state;

import org.jspecify.annotations.NullMarked;
