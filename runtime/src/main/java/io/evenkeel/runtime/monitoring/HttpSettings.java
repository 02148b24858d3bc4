package io.evenkeel.runtime.monitoring;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;

/**
 * Where the HTTP endpoint listens.
 *
 * @param host address to listen on
 * @param port 0 to 65,535; 0 takes any free one
 */
public record HttpSettings(String host, int port) {
    /** Address to listen on. */
    public static final Setting<String> HOST =
            Setting.text("http.host", "0.0.0.0", "address that /metrics, /livez and /readyz are served on");

    /** Port to listen on. */
    public static final Setting<Integer> PORT = Setting.integer(
            "http.port", 8080, 0, 65_535, "port that /metrics, /livez and /readyz are served on; 0 takes any free one");

    /** All settings under {@code http.}. */
    public static final Catalogue CATALOGUE = Catalogue.of(HOST, PORT);

    /** What the settings say. */
    public static HttpSettings from(Settings settings) {
        return new HttpSettings(settings.value(HOST), settings.value(PORT));
    }
}
