/** The durable work state of each controller and primary, and the pure function that moves it. */
@NullMarked
package io.evenkeel.worker.ledger;

import org.jspecify.annotations.NullMarked;
