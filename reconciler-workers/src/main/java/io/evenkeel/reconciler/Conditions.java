package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A status' conditions as the API conventions ask: one per type, each with a reason, an honest transition time and the
 * generation that it was made for. Immutable.
 *
 * <pre>{@code
 * Conditions.of(status.conditions(), memcached, context.now())
 *         .with("Ready", ready, ready ? "AllReplicasReady" : "ReplicasMissing", "2 of 3 replicas")
 *         .list();
 * }</pre>
 */
public final class Conditions {
    private static final int LONGEST_MESSAGE = 32_768;

    private final Map<String, Condition> byType;
    private final @Nullable Long generation;
    private final Instant now;

    private Conditions(Map<String, Condition> byType, @Nullable Long generation, Instant now) {
        this.byType = byType;
        this.generation = generation;
        this.now = now;
    }

    /**
     * Those that are there.
     *
     * @param existing conditions so far; null where the status has none yet. Of several of one type the first counts
     * @param primary whose status it is; its generation goes into each condition that is set
     * @param now time of a transition, kept in whole seconds
     */
    public static Conditions of(@Nullable List<Condition> existing, HasMetadata primary, Instant now) {
        var byType = new LinkedHashMap<String, Condition>();
        if (existing != null) {
            existing.forEach(condition -> byType.putIfAbsent(condition.getType(), condition));
        }
        return new Conditions(byType, primary.getMetadata().getGeneration(), now);
    }

    /**
     * With one of them true or false. Its lastTransitionTime changes only when its status does.
     *
     * @param type such as {@code Ready}
     * @param reason one CamelCase word
     * @param message for people; cut after 32,768 characters
     * @throws IllegalArgumentException if type or reason is none that the API conventions allow
     */
    public Conditions with(String type, boolean holds, String reason, String message) {
        return with(type, holds ? "True" : "False", reason, message);
    }

    /** With one of them unknown; otherwise as {@link #with(String, boolean, String, String)}. */
    public Conditions withUnknown(String type, String reason, String message) {
        return with(type, "Unknown", reason, message);
    }

    /** Without one of them. */
    public Conditions without(String type) {
        var others = new LinkedHashMap<>(byType);
        others.remove(type);
        return new Conditions(others, generation, now);
    }

    /** The condition of a type. */
    public Optional<Condition> find(String type) {
        return Optional.ofNullable(byType.get(type));
    }

    /** Whether the condition of a type is there and true. */
    public boolean isTrue(String type) {
        return find(type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    /** For the status; in the order in which the types came. */
    public List<Condition> list() {
        return new ArrayList<>(byType.values());
    }

    private Conditions with(String type, String status, String reason, String message) {
        require(
                type.matches("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"),
                "type",
                type);
        require(reason.matches("[A-Za-z]([A-Za-z0-9_,:]{0,1022}[A-Za-z0-9_])?"), "reason", reason);
        String since = find(type)
                .filter(before -> status.equals(before.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        var all = new LinkedHashMap<>(byType);
        all.put(
                type,
                new ConditionBuilder()
                        .withType(type)
                        .withStatus(status)
                        .withReason(reason)
                        .withMessage(message.substring(0, Math.min(LONGEST_MESSAGE, message.length())))
                        .withLastTransitionTime(since)
                        .withObservedGeneration(generation)
                        .build());
        return new Conditions(all, generation, now);
    }

    private static void require(boolean allowed, String what, String value) {
        if (!allowed) {
            throw new IllegalArgumentException("a condition's " + what + " is one word, such as "
                    + (what.equals("type") ? "Ready" : "ReplicasMissing") + ", but this is '" + value + "'");
        }
    }
}
