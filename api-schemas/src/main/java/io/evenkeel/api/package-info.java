@NullMarked
package io.evenkeel.api;

import org.jspecify.annotations.NullMarked;
