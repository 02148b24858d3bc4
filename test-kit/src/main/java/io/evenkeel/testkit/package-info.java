/** Tests of reconcilers in one process, with time that passes when it is told to. */
@NullMarked
package io.evenkeel.testkit;

import org.jspecify.annotations.NullMarked;
