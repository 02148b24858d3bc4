package io.evenkeel.worker.task;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Secondary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The controllers of a worker, by what concerns them. Immutable. */
public final class Controllers {
    private final Map<String, ControllerUnit> byName = new HashMap<>();
    private final Map<GroupKind, List<ControllerUnit>> byPrimary = new HashMap<>();
    private final Map<GroupKind, List<ControllerUnit>> bySecondary = new HashMap<>();

    /** @param units one per controller */
    public Controllers(Collection<ControllerUnit> units) {
        for (ControllerUnit unit : units) {
            byName.put(unit.name(), unit);
            add(byPrimary, unit.controller().primary(), unit);
            unit.controller().secondaries().stream()
                    .map(Secondary::resource)
                    .distinct()
                    .forEach(resource -> add(bySecondary, resource, unit));
        }
    }

    /** All of them. */
    public Collection<ControllerUnit> all() {
        return byName.values();
    }

    /** The controller of a controller key's text; empty if it is another worker's. Looks at the name only. */
    Optional<ControllerUnit> ofKey(String controllerKey) {
        int slash = controllerKey.indexOf('/');
        return slash < 0 ? Optional.empty() : Optional.ofNullable(byName.get(controllerKey.substring(0, slash)));
    }

    /** Controllers that reconcile objects of that kind. */
    List<ControllerUnit> reconciling(ObjectKey key) {
        return byPrimary.getOrDefault(new GroupKind(key.group(), key.kind()), List.of());
    }

    /** Controllers whose primaries objects of that kind concern. */
    List<ControllerUnit> concerning(ObjectKey key) {
        return bySecondary.getOrDefault(new GroupKind(key.group(), key.kind()), List.of());
    }

    private static void add(Map<GroupKind, List<ControllerUnit>> index, ResourceType type, ControllerUnit unit) {
        index.computeIfAbsent(new GroupKind(type.group(), type.kind()), kind -> new ArrayList<>())
                .add(unit);
    }

    private record GroupKind(String group, String kind) {}
}
