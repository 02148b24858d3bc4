/** {@code evenkeel version} and {@code evenkeel completion}. */
@NullMarked
package io.evenkeel.cli.about;

import org.jspecify.annotations.NullMarked;
