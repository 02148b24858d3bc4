package io.evenkeel.watcher.fold;

import io.evenkeel.api.ResourceVersion;
import java.util.Optional;

/**
 * Where a watch stands. Several objects may be deleted under one resourceVersion, so a frame proves only that everything
 * before its version has come: the resume point stays behind the newest frame until a later one or a bookmark arrives, and
 * what is shown twice is sorted out by {@link ObjectFold}.
 *
 * @param resume a watch from here misses nothing
 * @param newest highest version that came
 * @param ended uid of the life that the newest frame ended, if it ended one
 */
public record StreamPosition(ResourceVersion resume, ResourceVersion newest, Optional<String> ended) {
    /** After a complete list or a bookmark: everything up to the version is known. */
    public static StreamPosition complete(ResourceVersion version) {
        return new StreamPosition(version, version, Optional.empty());
    }

    /** After a frame of the given version. */
    public StreamPosition after(ResourceVersion version) {
        return version.isAfter(newest) ? new StreamPosition(newest, version, Optional.empty()) : this;
    }

    /** After a frame of the given version that ended a life. */
    public StreamPosition afterEnd(ResourceVersion version, String uid) {
        return version.isAfter(newest) ? new StreamPosition(newest, version, Optional.of(uid)) : this;
    }

    /** Whether a frame of this version was due before: a server that lags, or a stream out of order, shows it. */
    public boolean isLate(ResourceVersion version, String uid) {
        return !version.isAfter(resume)
                || (!version.isAfter(newest) && ended.filter(uid::equals).isPresent());
    }

    /** After a bookmark. One that is older than a frame before it says nothing new. */
    public StreamPosition bookmark(ResourceVersion version) {
        return newest.isAfter(version) ? this : complete(version);
    }
}
