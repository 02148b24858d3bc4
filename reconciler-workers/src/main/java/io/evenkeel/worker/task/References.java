package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.RequestReason;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Tells objects that primaries name them, in whichever partition they lie, and when they no longer do. What a primary names
 * is kept in the form of {@link Owners}, the other way round. A repeated record repeats all that it once caused.
 */
final class References {
    private final WorkStore work;
    private final BiConsumer<ControllerKey, RequestReason> requests;
    private final Clock clock;

    References(WorkStore work, BiConsumer<ControllerKey, RequestReason> requests, Clock clock) {
        this.work = work;
        this.requests = requests;
        this.clock = clock;
    }

    /** A primary appeared or changed. */
    void changed(ControllerUnit unit, ObjectKey primary, ObjectHeaders headers, Decoded object) {
        if (!unit.isNaming()) {
            return;
        }
        String text = new ControllerKey(unit.name(), primary).toString();
        Optional<Owners> before = work.named(text);
        List<String> named = Links.named(unit.controller(), primary, object)
                .map(keys -> keys.stream().map(ObjectKey::toString).toList())
                .orElseGet(() -> before.map(Owners::current).orElse(List.of()));
        if (named.isEmpty() && before.isEmpty()) {
            return;
        }
        Owners now = Owners.next(headers, named, before, false);
        boolean isNews = before.isEmpty() || !before.get().equals(now);
        if (isNews || now.changedAt().equals(headers.resourceVersion())) {
            now.current().forEach(name -> tell(unit, name, primary, headers, true));
            now.left().forEach(name -> tell(unit, name, primary, headers, false));
        }
        if (isNews) {
            work.putNamed(text, now);
        }
    }

    /** A primary is gone, or out of sight. */
    void deleted(ControllerUnit unit, ObjectKey primary, ObjectHeaders headers) {
        if (!unit.isNaming()) {
            return;
        }
        String text = new ControllerKey(unit.name(), primary).toString();
        Optional<Owners> before = work.named(text);
        if (before.isEmpty()) {
            return;
        }
        Owners now = Owners.next(headers, List.of(), before, true);
        now.left().forEach(object -> tell(unit, object, primary, headers, false));
        work.putNamed(text, now);
        work.buryNamed(text, clock.instant());
    }

    private void tell(ControllerUnit unit, String object, ObjectKey primary, ObjectHeaders headers, boolean named) {
        requests.accept(
                new ControllerKey(unit.name(), ObjectKey.parse(object)),
                new RequestReason.Referenced(primary.toString(), named, headers.epoch(), headers.eventId()));
    }
}
