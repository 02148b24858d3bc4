package io.evenkeel.runtime.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads settings from environment variables: {@code EVENKEEL_WATCHER_PAGE_SIZE} sets {@code watcher.page-size}. */
final class Environment {
    private static final String PREFIX = "EVENKEEL_";

    /** Variables of the launcher. */
    private static final Set<String> NOT_SETTINGS =
            Set.of("EVENKEEL_JAVA_OPTS", "EVENKEEL_NO_BUILD", "EVENKEEL_MVN_ARGS", "EVENKEEL_HOME");

    /** What Kubernetes puts into every container for a Service whose name starts with "evenkeel". */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("EVENKEEL(_.+)?_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.+)?)?)");

    private Environment() {}

    static String variable(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    static List<RawValue> read(Map<String, String> environment, Catalogue catalogue) {
        var keys = new TreeMap<String, String>();
        catalogue.keys().forEach(key -> keys.put(variable(key), key));
        var values = new ArrayList<RawValue>();
        new TreeMap<>(environment).forEach((name, text) -> {
            if (!name.startsWith(PREFIX) || NOT_SETTINGS.contains(name)) {
                return;
            }
            Optional<String> known = Optional.ofNullable(keys.get(name));
            if (isServiceLink(name, text, known.isPresent())) {
                return;
            }
            String key = known.orElseGet(() -> dotted(name));
            values.add(new RawValue(key, text, new Origin.Variable(name)));
        });
        return values;
    }

    private static boolean isServiceLink(String name, String text, boolean known) {
        return SERVICE_LINK.matcher(name).matches() && (!known || text.matches("(tcp|udp|sctp)://.*"));
    }

    /** Keys of open groups have no dashes, so that every underscore is a dot. */
    private static String dotted(String name) {
        return name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
