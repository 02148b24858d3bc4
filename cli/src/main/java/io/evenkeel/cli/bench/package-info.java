/** {@code evenkeel bench}: what this machine achieves. */
@NullMarked
package io.evenkeel.cli.bench;

import org.jspecify.annotations.NullMarked;
