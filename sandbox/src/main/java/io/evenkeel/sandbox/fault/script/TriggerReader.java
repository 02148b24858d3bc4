package io.evenkeel.sandbox.fault.script;

import io.evenkeel.sandbox.fault.rule.Trigger;
import java.util.Optional;

/** Reads which ones of a sequence are hit. */
final class TriggerReader {
    private TriggerReader() {}

    static Trigger read(String place, YamlNode node, Problems problems) {
        try (FieldReader fields = FieldReader.of(place, node, problems)) {
            return read(fields);
        }
    }

    /** From among other fields. */
    static Trigger read(FieldReader fields) {
        Optional<Long> nth = fields.whole("nth", 1, Long.MAX_VALUE);
        Optional<Long> from = fields.whole("from", 1, Long.MAX_VALUE);
        Optional<Long> every = fields.whole("every", 1, Long.MAX_VALUE);
        Optional<Long> times = fields.whole("times", 1, Long.MAX_VALUE);
        double probability = fields.probability("probability").orElse(1.0);
        if (nth.isEmpty()) {
            return new Trigger(from.orElse(1L), every.orElse(1L), times.orElse(Trigger.UNLIMITED), probability);
        }
        if (from.isPresent() || every.isPresent() || times.isPresent()) {
            fields.problem("says nth, which is only one; then it must not say from, every or times");
        }
        return new Trigger(nth.get(), 1, 1, probability);
    }
}
