@NullMarked
package io.evenkeel.reconciler;

import org.jspecify.annotations.NullMarked;
