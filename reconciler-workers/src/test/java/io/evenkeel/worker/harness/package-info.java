/** What the tests of the engine share: a kind, a hand-written log, a worker beside an embedded broker. */
@NullMarked
package io.evenkeel.worker.harness;

import org.jspecify.annotations.NullMarked;
