/** Which waiting key runs next: permits, lanes and fairness among clusters. */
@NullMarked
package io.evenkeel.worker.dispatch;

import org.jspecify.annotations.NullMarked;
