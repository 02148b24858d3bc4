/** The command that runs fault proxies. */
@NullMarked
package io.evenkeel.cli.fault;

import org.jspecify.annotations.NullMarked;
