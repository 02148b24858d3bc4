/** What people see: tables, times, questions. */
@NullMarked
package io.evenkeel.cli.terminal;

import org.jspecify.annotations.NullMarked;
