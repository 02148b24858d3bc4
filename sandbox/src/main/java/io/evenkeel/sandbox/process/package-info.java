/** Processes beside this JVM that can be killed, frozen and read, and that never outlive it. */
@NullMarked
package io.evenkeel.sandbox.process;

import org.jspecify.annotations.NullMarked;
