/** The records on our topics, as Java sees them; their JSON Schemas lie in {@code /schemas} on the class path. */
@NullMarked
package io.evenkeel.api.record;

import org.jspecify.annotations.NullMarked;
