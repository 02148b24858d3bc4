package io.evenkeel.sandbox.fault.script;

import io.evenkeel.sandbox.fault.rule.Darkness;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads what a rule does: the name of a fault, or a map with that name and the fault's own fields. */
final class FaultReader {
    private static final Map<String, Function<FieldReader, Optional<Fault>>> KINDS = kinds();

    private FaultReader() {}

    private static Map<String, Function<FieldReader, Optional<Fault>>> kinds() {
        Map<String, Function<FieldReader, Optional<Fault>>> kinds = new LinkedHashMap<>();
        kinds.put("delay", FaultReader::delay);
        kinds.put("answer", FaultReader::answer);
        kinds.put("garbage", fields -> Optional.of(new Fault.Garbage()));
        kinds.put("no-answer", fields -> Optional.of(new Fault.NoAnswer()));
        kinds.put("cut", fields -> Optional.of(new Fault.Cut()));
        kinds.put("lose-answer", fields -> Optional.of(new Fault.LoseAnswer()));
        kinds.put("truncate", FaultReader::truncate);
        kinds.put("stale-view", FaultReader::staleView);
        kinds.put("blackout", FaultReader::blackout);
        kinds.put("drop-frames", fields -> Optional.of(new Fault.DropFrames(TriggerReader.read(fields))));
        kinds.put("duplicate-frames", fields -> Optional.of(new Fault.DuplicateFrames(TriggerReader.read(fields))));
        kinds.put("swap-frames", fields -> Optional.of(new Fault.SwapFrames(TriggerReader.read(fields))));
        kinds.put("delay-frames", FaultReader::delayFrames);
        kinds.put("end-watch", FaultReader::endWatch);
        return kinds;
    }

    /** All of them, for a person. */
    static String names() {
        return String.join(", ", KINDS.keySet());
    }

    static Optional<Fault> read(String place, YamlNode node, Problems problems) {
        return switch (node) {
            case YamlNode.Text text -> fault(place, text.text(), new YamlNode.Text(text.line(), ""), problems);
            case YamlNode.Fields fields
            when fields.fields().size() == 1 -> {
                Map.Entry<String, YamlNode> only =
                        fields.fields().entrySet().iterator().next();
                yield fault(place, only.getKey(), only.getValue(), problems);
            }
            case YamlNode.Fields fields -> notOne(place, fields, problems);
            case YamlNode.Items items -> notOne(place, items, problems);
        };
    }

    private static Optional<Fault> notOne(String place, YamlNode node, Problems problems) {
        problems.add(node.line(), place + " must be exactly one of " + names());
        return Optional.empty();
    }

    private static Optional<Fault> fault(String place, String name, YamlNode settings, Problems problems) {
        Optional<Function<FieldReader, Optional<Fault>>> kind = Optional.ofNullable(KINDS.get(name));
        if (kind.isEmpty()) {
            problems.add(
                    settings.line(),
                    place + " must be one of " + names() + " but is \"" + name + "\""
                            + Nearest.hint(name, KINDS.keySet()));
            return Optional.empty();
        }
        try (FieldReader fields = FieldReader.of(place + "." + name, settings, problems)) {
            return kind.get().apply(fields);
        }
    }

    /** A field that must be there and is not is reported; one that is wrong was reported already. */
    private static <T> Optional<T> required(FieldReader fields, String key, String what, Optional<T> value) {
        if (!fields.keys().contains(key)) {
            fields.missing(key, what);
        }
        return value;
    }

    private static Optional<Fault> delay(FieldReader fields) {
        Duration jitter = fields.duration("jitter").orElse(Duration.ZERO);
        return required(fields, "at-least", "a duration such as 150ms", fields.duration("at-least"))
                .map(atLeast -> new Fault.Delay(atLeast, jitter));
    }

    private static Optional<Fault> answer(FieldReader fields) {
        Optional<String> reason = fields.text("reason");
        Optional<Duration> retryAfter = fields.duration("retry-after");
        return required(fields, "status", "a whole number, 400 to 599", fields.whole("status", 400, 599))
                .map(status -> new Fault.Answer(status.intValue(), reason, retryAfter));
    }

    private static Optional<Fault> truncate(FieldReader fields) {
        Fault.Truncate.Ending ending =
                fields.choice("ending", Fault.Truncate.Ending.class).orElse(Fault.Truncate.Ending.CUT);
        return required(
                        fields,
                        "keep-bytes",
                        "a whole number, 0 or more",
                        fields.whole("keep-bytes", 0, Long.MAX_VALUE))
                .map(bytes -> new Fault.Truncate(bytes, ending));
    }

    private static Optional<Fault> staleView(FieldReader fields) {
        return required(
                        fields,
                        "changes-behind",
                        "a whole number, 1 to 100000",
                        fields.whole("changes-behind", 1, 100_000))
                .map(changes -> new Fault.StaleView(changes.intValue()));
    }

    private static Optional<Fault> blackout(FieldReader fields) {
        return Optional.of(new Fault.Blackout(
                fields.choice("by", Darkness.class).orElse(Darkness.SILENT), fields.duration("lasting")));
    }

    private static Optional<Fault> delayFrames(FieldReader fields) {
        Duration jitter = fields.duration("jitter").orElse(Duration.ZERO);
        Optional<Duration> found =
                required(fields, "at-least", "a duration such as 150ms", fields.duration("at-least"));
        var which = TriggerReader.read(fields);
        return found.map(atLeast -> new Fault.DelayFrames(which, atLeast, jitter));
    }

    private static Optional<Fault> endWatch(FieldReader fields) {
        return Optional.of(new Fault.EndWatch(
                fields.whole("after-frames", 0, Long.MAX_VALUE).orElse(0L),
                fields.choice("by", WatchEnd.class).orElse(WatchEnd.CLOSE)));
    }
}
