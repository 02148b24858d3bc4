/** The ways to change an object: server-side apply with field ownership, strategic merge, JSON patch and JSON merge patch. */
@NullMarked
package io.evenkeel.sandbox.kube.merge;

import org.jspecify.annotations.NullMarked;
