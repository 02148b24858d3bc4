/** Rules written down as YAML. */
@NullMarked
package io.evenkeel.sandbox.fault.script;

import org.jspecify.annotations.NullMarked;
