package io.evenkeel.cli.explain;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.Pause;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One key that has something to do, in words.
 *
 * @param controller name of the controller
 * @param object key of the primary
 * @param state {@code pending}, {@code paused}, {@code running}, {@code retry}, {@code requeue}, {@code resync} or
 *     {@code parked}
 * @param since when it came to be so, where that is known
 * @param due when it goes on by itself, where there is a time
 * @param failures failed attempts in a row
 * @param reason why
 */
record WorkItem(
        String controller,
        String object,
        String state,
        Optional<Instant> since,
        Optional<Instant> due,
        int failures,
        String reason) {
    static WorkItem of(ControllerKey key, LedgerEntry entry, List<Pause> pauses) {
        return switch (entry.state()) {
            case KeyState.Idle idle -> item(key, entry, "idle", Optional.empty(), Optional.empty(), "");
            case KeyState.Pending pending -> {
                Optional<Pause> pause =
                        pauses.stream().filter(each -> each.covers(key)).findFirst();
                yield item(
                        key,
                        entry,
                        pause.isPresent() ? "paused" : "pending",
                        first(pending.causes()),
                        Optional.empty(),
                        pause.map(each -> each.reason() + " (by " + each.by() + "); ")
                                        .orElse("")
                                + pending.lane().name().toLowerCase(Locale.ROOT) + ": " + words(pending.causes()));
            }
            case KeyState.Running running ->
                item(
                        key,
                        entry,
                        "running",
                        Optional.of(running.startedAt()),
                        Optional.empty(),
                        words(running.causes()));
            case KeyState.Waiting waiting ->
                item(
                        key,
                        entry,
                        waiting.kind().name().toLowerCase(Locale.ROOT),
                        Optional.of(waiting.since()),
                        Optional.of(waiting.due()),
                        waiting.why());
            case KeyState.Parked parked ->
                item(
                        key,
                        entry,
                        "parked",
                        Optional.of(parked.at()),
                        Optional.empty(),
                        parked.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": "
                                + entry.failures().last().message());
        };
    }

    private static WorkItem item(
            ControllerKey key,
            LedgerEntry entry,
            String state,
            Optional<Instant> since,
            Optional<Instant> due,
            String reason) {
        return new WorkItem(
                key.controller(),
                key.primary().toString(),
                state,
                since,
                due,
                entry.failures().count(),
                reason);
    }

    private static Optional<Instant> first(List<Cause> causes) {
        return causes.stream().map(Cause::at).min(Instant::compareTo);
    }

    private static String words(List<Cause> causes) {
        return causes.stream()
                .map(cause -> cause.type().toLowerCase(Locale.ROOT).replace('_', ' ')
                        + (cause.detail().isEmpty() ? "" : " " + cause.detail()))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
