/** {@code evenkeel dead-letters}: parked work, and how it gets back to work. */
@NullMarked
package io.evenkeel.cli.deadletters;

import org.jspecify.annotations.NullMarked;
