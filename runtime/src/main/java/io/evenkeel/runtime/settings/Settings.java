package io.evenkeel.runtime.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** All settings of a process, checked and with their origins. Immutable. */
public final class Settings {
    private final Catalogue catalogue;
    private final Map<String, RawValue> chosen;

    Settings(Catalogue catalogue, Map<String, RawValue> chosen) {
        this.catalogue = catalogue;
        this.chosen = Map.copyOf(chosen);
    }

    /** The defaults of these catalogues; for tests. */
    public static Settings defaults(Catalogue... catalogues) {
        return SettingsReader.of(catalogues).read();
    }

    /**
     * The configured value, or the default.
     *
     * @throws IllegalArgumentException if the setting is not in the catalogues that these settings were read with
     */
    public <T> T value(Setting<T> setting) {
        if (catalogue.find(setting.key()).isEmpty()) {
            throw new IllegalArgumentException("the setting " + setting.key() + " is in no catalogue of this process");
        }
        RawValue raw = chosen.get(setting.key());
        return raw == null ? setting.fallback() : setting.type().read(raw.text());
    }

    /** Where the value came from. */
    public Origin origin(Setting<?> setting) {
        RawValue raw = chosen.get(setting.key());
        return raw == null ? new Origin.Default() : raw.origin();
    }

    /** Whether anyone configured the setting. */
    public boolean isSet(Setting<?> setting) {
        return chosen.containsKey(setting.key());
    }

    /** Everything that was set in a group, by key without the group: {@code kafka} gives Kafka's own properties. */
    public Map<String, String> group(String group) {
        var values = new TreeMap<String, String>();
        String prefix = group + ".";
        chosen.forEach((key, raw) -> {
            if (key.startsWith(prefix)) {
                values.put(key.substring(prefix.length()), raw.text());
            }
        });
        return values;
    }

    /**
     * Builds a config record from these settings.
     *
     * @param factory such as {@code WatcherConfig::from}; checks what concerns several settings by throwing
     *     {@link IllegalArgumentException}
     * @throws SettingsException in place of that exception, with its message
     */
    public <C> C as(Function<Settings, C> factory) {
        try {
            return factory.apply(this);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(List.of(String.valueOf(e.getMessage())));
        }
    }

    /** All settings as they are shown to people, by key; secrets are hidden. */
    public List<Shown> shown() {
        var rows = new ArrayList<Shown>();
        var all = new LinkedHashMap<>(catalogue.settings());
        all.values().forEach(setting -> rows.add(show(setting)));
        new TreeMap<>(chosen).forEach((key, raw) -> {
            if (!all.containsKey(key)) {
                String text = looksSecret(key) ? Secret.HIDDEN : raw.text();
                rows.add(new Shown(key, text, raw.origin(), "passed through"));
            }
        });
        return rows;
    }

    /**
     * A setting as it is shown to people.
     *
     * @param key its key
     * @param value its value, hidden if it is a secret, empty if it is absent
     * @param origin where the value came from
     * @param description what it means
     */
    public record Shown(String key, String value, Origin origin, String description) {}

    /** Whether a key that is not ours probably holds a secret. */
    public static boolean looksSecret(String key) {
        return key.matches(
                ".*(password|secret|jaas|credential|token|keystore\\.key|certificate\\.chain|user\\.info).*");
    }

    private <T> Shown show(Setting<T> setting) {
        return new Shown(setting.key(), setting.show(value(setting)), origin(setting), setting.description());
    }
}
