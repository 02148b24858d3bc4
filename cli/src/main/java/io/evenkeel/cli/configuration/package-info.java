/** {@code evenkeel config}: all settings and where they came from. */
@NullMarked
package io.evenkeel.cli.configuration;

import org.jspecify.annotations.NullMarked;
