/** JSON as our records write it. */
@NullMarked
package io.evenkeel.api.json;

import org.jspecify.annotations.NullMarked;
