package io.evenkeel.watcher.fold;

import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import java.util.List;

/**
 * One event that goes to the log.
 *
 * @param type what happened
 * @param origin how it became known
 * @param life the state that the event is about; of an inferred deletion the last one known
 * @param changed sections, as in a change event
 * @param sighted whether the object that was sighted is the one that the event is about; if not, its JSON is unknown
 */
public record Emission(ChangeType type, Origin origin, Life life, List<String> changed, boolean sighted) {}
