package io.evenkeel.runtime.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Collects values from their sources, later ones before earlier ones: defaults, the program's own, a file, the
 * environment, flags. {@link #read} checks everything and reports all problems at once. Not thread-safe.
 *
 * <pre>{@code
 * Settings settings = SettingsReader.of(catalogue).file(path).environment(System.getenv()).flags(sets).read();
 * WatcherConfig config = settings.as(WatcherConfig::from);
 * }</pre>
 */
public final class SettingsReader {
    private final Catalogue catalogue;
    private final List<String> foreignGroups = new ArrayList<>();
    private final List<RawValue> program = new ArrayList<>();
    private final List<RawValue> flags = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private Map<String, String> environment = Map.of();

    private SettingsReader(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A reader of the settings in these catalogues. */
    public static SettingsReader of(Catalogue... catalogues) {
        return new SettingsReader(Catalogue.join(catalogues));
    }

    /** Lets the keys of these groups pass unread: one file may serve several roles. */
    public SettingsReader ignoringGroups(String... groups) {
        foreignGroups.addAll(List.of(groups));
        return this;
    }

    /** Values that the program knows better than the built-in defaults; anything else overrides them. */
    public SettingsReader program(String source, Map<String, String> values) {
        values.forEach((key, text) -> program.add(new RawValue(key, text, new Origin.Program(source))));
        return this;
    }

    /** Values of a YAML file. */
    public SettingsReader file(Path file) {
        files.add(file);
        return this;
    }

    /** Values of a YAML file, if one was named. */
    public SettingsReader file(Optional<Path> file) {
        file.ifPresent(files::add);
        return this;
    }

    /** Values of environment variables, such as {@code System.getenv()}. */
    public SettingsReader environment(Map<String, String> variables) {
        environment = Map.copyOf(variables);
        return this;
    }

    /** {@code key=value} texts, as {@code --set} takes them. */
    public SettingsReader flags(List<String> assignments) {
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                problems.add("--set takes key=value but got '" + assignment + "'");
            } else {
                flag("--set", assignment.substring(0, equals), assignment.substring(equals + 1));
            }
        }
        return this;
    }

    /** One value that was given by a flag of its own. */
    public SettingsReader flag(String flag, String key, String text) {
        flags.add(new RawValue(key.strip(), text.strip(), new Origin.Flag(flag)));
        return this;
    }

    /**
     * Resolves all settings.
     *
     * @throws SettingsException listing every unknown key and every value that is not allowed
     */
    public Settings read() {
        var all = new ArrayList<>(program);
        for (Path file : files) {
            all.addAll(withoutRepeats(SettingsFile.read(file, problems)));
        }
        all.addAll(Environment.read(environment, catalogue));
        all.addAll(flags);

        var chosen = new LinkedHashMap<String, RawValue>();
        for (RawValue value : all) {
            if (isForeign(value.key())) {
                continue;
            }
            if (catalogue.find(value.key()).isEmpty() && !catalogue.isOpen(value.key())) {
                problems.add(unknown(value));
            } else {
                check(value);
                chosen.put(value.key(), value);
            }
        }
        if (!problems.isEmpty()) {
            throw new SettingsException(List.copyOf(new LinkedHashSet<>(problems)));
        }
        return new Settings(catalogue, chosen);
    }

    /** A key that stands twice in one file is a mistake: which of the two was meant can't be known. */
    private List<RawValue> withoutRepeats(List<RawValue> values) {
        Set<String> seen = new LinkedHashSet<>();
        for (RawValue value : values) {
            if (!seen.add(value.key())) {
                problems.add(value.key() + " is set twice, the second time in "
                        + value.origin().describe());
            }
        }
        return values;
    }

    /** A group is another role's only as long as the own catalogue has nothing in it. */
    private boolean isForeign(String key) {
        return foreignGroups.stream()
                .map(group -> group + ".")
                .filter(group -> catalogue.keys().stream().noneMatch(own -> own.startsWith(group)))
                .anyMatch(key::startsWith);
    }

    private String unknown(RawValue value) {
        return "unknown key " + value.key() + " in " + value.origin().describe()
                + NearestKey.to(value.key(), catalogue.keys())
                        .map(key -> "; did you mean " + key + "?")
                        .orElse("; evenkeel config print lists all keys");
    }

    private void check(RawValue value) {
        catalogue.find(value.key()).ifPresent(setting -> {
            try {
                setting.type().read(value.text());
            } catch (IllegalArgumentException e) {
                String shown = setting.secret() ? Secret.HIDDEN : "'" + value.text() + "'";
                problems.add(value.key() + " must be " + setting.type().allowed() + " but is " + shown + " ("
                        + value.origin().describe() + ")");
            }
        });
    }
}
