/** {@code evenkeel status}: how the shards fare. */
@NullMarked
package io.evenkeel.cli.status;

import org.jspecify.annotations.NullMarked;
