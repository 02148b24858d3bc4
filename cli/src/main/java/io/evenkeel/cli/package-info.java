@NullMarked
package io.evenkeel.cli;

import org.jspecify.annotations.NullMarked;
