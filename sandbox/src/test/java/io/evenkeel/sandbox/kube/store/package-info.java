@NullMarked
package io.evenkeel.sandbox.kube.store;

import org.jspecify.annotations.NullMarked;
