/** Which request meets which fault: the decision, as a pure function of rules, seed and what was asked before. */
@NullMarked
package io.evenkeel.sandbox.fault.rule;

import org.jspecify.annotations.NullMarked;
