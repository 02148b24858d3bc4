package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a status' list of conditions as the API conventions ask: one per type, with an honest transition time. */
public final class Conditions {
    private Conditions() {}

    /**
     * The list with one condition set. Its lastTransitionTime changes only when its status does.
     *
     * @param existing conditions so far; null where the status has none yet
     * @param type such as {@code Ready}
     * @param holds true, false
     * @param reason one CamelCase word
     * @param message for people
     * @param now time of a transition, kept in whole seconds
     */
    public static List<Condition> with(
            @Nullable List<Condition> existing,
            String type,
            boolean holds,
            String reason,
            String message,
            Instant now) {
        var conditions = new ArrayList<Condition>(existing == null ? List.of() : existing);
        String status = holds ? "True" : "False";
        String since = find(conditions, type)
                .filter(before -> status.equals(before.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        Condition condition = new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .build();
        for (int i = 0; i < conditions.size(); i++) {
            if (type.equals(conditions.get(i).getType())) {
                conditions.set(i, condition);
                return conditions;
            }
        }
        conditions.add(condition);
        return conditions;
    }

    /** The condition of a type. */
    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }
}
