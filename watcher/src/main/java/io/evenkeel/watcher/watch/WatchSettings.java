package io.evenkeel.watcher.watch;

import java.time.Duration;

/**
 * How a shard is followed.
 *
 * @param pageSize objects per list page
 * @param silence a watch that shows nothing for so long, not even a bookmark, is replaced
 * @param shortestWatch the server is asked to end a watch after this, up to twice as long
 */
public record WatchSettings(int pageSize, Duration silence, Duration shortestWatch) {}
