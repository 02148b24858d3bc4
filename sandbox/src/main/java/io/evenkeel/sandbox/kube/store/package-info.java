/** Objects of one cluster as bytes, with revisions, a history window and a journal. */
@NullMarked
package io.evenkeel.sandbox.kube.store;

import org.jspecify.annotations.NullMarked;
