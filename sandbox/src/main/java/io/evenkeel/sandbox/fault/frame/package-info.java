/** What faults do to the frames of one open watch; no IO. */
@NullMarked
package io.evenkeel.sandbox.fault.frame;

import org.jspecify.annotations.NullMarked;
