package io.evenkeel.watcher.frame;

import io.evenkeel.api.ResourceVersion;

/** One line of a watch; exactly one of these. */
public sealed interface WatchFrame {
    /**
     * An object was created or changed.
     *
     * @param object its new state
     */
    record Upserted(ScannedObject object) implements WatchFrame {}

    /**
     * An object is gone.
     *
     * @param object its final state, with the resourceVersion of the deletion
     */
    record Deleted(ScannedObject object) implements WatchFrame {}

    /**
     * Everything up to a position was sent.
     *
     * @param resourceVersion that position
     */
    record Bookmark(ResourceVersion resourceVersion) implements WatchFrame {}

    /**
     * The server ends the watch.
     *
     * @param code HTTP status, such as 410
     * @param reason such as {@code Expired}
     */
    record Failed(int code, String reason) implements WatchFrame {}
}
