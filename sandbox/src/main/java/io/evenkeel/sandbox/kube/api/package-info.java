/** Resource types, discovery, selectors, tables and the failures that clients see. */
@NullMarked
package io.evenkeel.sandbox.kube.api;

import org.jspecify.annotations.NullMarked;
