package io.evenkeel.cli.events;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.Actor;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.record.Origin;
import io.evenkeel.cli.terminal.Texts;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * One line for people: when, what, which object, which version, what changed, who did it.
 *
 * <pre>2026-11-30 09:14:02.113  MODIFIED  local  Memcached default/sessions  v812  status  by evenkeel</pre>
 */
final class EventLine implements EventFormat {
    private static final int OBJECT_WIDTH = 36;
    private static final int VERSION_WIDTH = 6;

    private final ZoneId zone;

    EventLine(ZoneId zone) {
        this.zone = zone;
    }

    @Override
    public String format(ConsumerRecord<byte[], byte[]> record) {
        try {
            String line = isGap(record) ? gap(record) : event(Json.read(record.value(), ChangeEvent.class));
            return line.stripTrailing();
        } catch (MalformedRecordException e) {
            return Texts.toMillis(Instant.ofEpochMilli(record.timestamp()), zone) + "  (unreadable record at partition "
                    + record.partition() + " offset " + record.offset() + ": " + Texts.oneLine(e.toString(), 120) + ")";
        }
    }

    private String event(ChangeEvent event) {
        String object = event.kind() + " " + event.key().subject();
        return start(event.observedAt(), event.type().name(), event.cluster(), object)
                + padded("v" + event.resourceVersion(), VERSION_WIDTH) + "  " + String.join("  ", remarks(event));
    }

    private static boolean isGap(ConsumerRecord<byte[], byte[]> record) {
        return CloudEventHeaders.text(record.headers(), CloudEventHeaders.TYPE)
                .filter(Gap.CLOUD_EVENT_TYPE::equals)
                .isPresent();
    }

    private String gap(ConsumerRecord<byte[], byte[]> record) {
        Gap gap = Json.read(record.value(), Gap.class);
        String resource = gap.group().isEmpty() ? gap.resource() : gap.resource() + "." + gap.group();
        return start(gap.observedAt(), "GAP", gap.cluster(), resource)
                + gap.after().map(after -> "after v" + after + " ").orElse("") + "until v" + gap.until() + "  "
                + gap.reason();
    }

    private String start(Instant time, String type, String cluster, String object) {
        return Texts.toMillis(time, zone) + "  "
                + padded(type, ChangeType.MODIFIED.name().length()) + "  " + cluster + "  "
                + padded(object, OBJECT_WIDTH) + "  ";
    }

    private static List<String> remarks(ChangeEvent event) {
        var remarks = new ArrayList<String>();
        if (!event.changed().isEmpty()) {
            remarks.add(event.changed().stream()
                    .map(section -> section.replace("metadata.", ""))
                    .collect(Collectors.joining(",")));
        }
        if (event.type() != ChangeType.DELETED) {
            lastActors(event.actors()).ifPresent(managers -> remarks.add("by " + managers));
        }
        if (event.origin() != Origin.WATCH) {
            remarks.add("(seen in a list)");
        }
        if (!event.finalStateKnown()) {
            remarks.add("(last state unknown)");
        }
        event.objectOmitted().ifPresent(why -> remarks.add("(object omitted: " + why + ")"));
        return remarks;
    }

    /**
     * The API server keeps the time of each manager's last write in whole seconds; the newest is most likely this change.
     * Where several wrote in that second, all are named.
     */
    private static Optional<String> lastActors(List<Actor> actors) {
        return actors.stream()
                .flatMap(actor -> actor.time().stream())
                .max(Comparator.naturalOrder())
                .map(newest -> actors.stream()
                        .filter(actor -> actor.time().filter(newest::equals).isPresent())
                        .map(Actor::manager)
                        .distinct()
                        .collect(Collectors.joining(" or ")));
    }

    private static String padded(String text, int width) {
        return text.length() >= width ? text : text + " ".repeat(width - text.length());
    }
}
