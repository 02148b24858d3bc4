/** {@code evenkeel topics}: the topics as they are and as they should be. */
@NullMarked
package io.evenkeel.cli.topics;

import org.jspecify.annotations.NullMarked;
