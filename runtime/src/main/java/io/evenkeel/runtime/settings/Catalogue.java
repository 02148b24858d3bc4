package io.evenkeel.runtime.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that a module, or a process, knows. Every module has one beside its config record; a process joins those
 * of the modules it is made of.
 *
 * @param settings by key, in the order in which they are printed
 * @param openGroups groups that take any key, such as {@code kafka}, whose keys are not ours
 */
public record Catalogue(Map<String, Setting<?>> settings, List<String> openGroups) {
    /** Takes copies. */
    public Catalogue {
        settings = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        openGroups = List.copyOf(openGroups);
    }

    /** The catalogue of these settings. */
    public static Catalogue of(Setting<?>... settings) {
        var byKey = new LinkedHashMap<String, Setting<?>>();
        for (Setting<?> setting : settings) {
            add(byKey, setting);
        }
        return new Catalogue(byKey, List.of());
    }

    /** All settings of several catalogues; a key that two of them declare must be the same setting. */
    public static Catalogue join(Catalogue... catalogues) {
        var byKey = new LinkedHashMap<String, Setting<?>>();
        var groups = new ArrayList<String>();
        for (Catalogue catalogue : catalogues) {
            catalogue.settings.values().forEach(setting -> add(byKey, setting));
            catalogue.openGroups.stream()
                    .filter(group -> !groups.contains(group))
                    .forEach(groups::add);
        }
        return new Catalogue(byKey, groups);
    }

    /** This catalogue with groups that take any key. */
    public Catalogue withOpenGroups(String... groups) {
        var all = new ArrayList<>(openGroups);
        all.addAll(Arrays.asList(groups));
        return new Catalogue(settings, all);
    }

    Optional<Setting<?>> find(String key) {
        return Optional.ofNullable(settings.get(key));
    }

    boolean isOpen(String key) {
        return openGroups.stream().anyMatch(group -> key.startsWith(group + ".") && key.length() > group.length() + 1);
    }

    Collection<String> keys() {
        return settings.keySet();
    }

    private static void add(Map<String, Setting<?>> byKey, Setting<?> setting) {
        Setting<?> before = byKey.putIfAbsent(setting.key(), setting);
        if (before != null && !before.equals(setting)) {
            throw new IllegalArgumentException("two settings have the key " + setting.key());
        }
    }
}
