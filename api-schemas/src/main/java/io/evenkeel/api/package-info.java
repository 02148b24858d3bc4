/** What crosses a border between processes: keys, partitions and the names that records carry. No IO. */
@NullMarked
package io.evenkeel.api;

import org.jspecify.annotations.NullMarked;
