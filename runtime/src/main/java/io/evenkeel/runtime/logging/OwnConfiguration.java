package io.evenkeel.runtime.logging;

import java.util.List;

/** Whether the application brings a Logback configuration of its own. */
final class OwnConfiguration {
    private static final List<String> FILES = List.of("logback-test.xml", "logback.xml");

    private OwnConfiguration() {}

    static boolean exists() {
        ClassLoader loader = OwnConfiguration.class.getClassLoader();
        return System.getProperty("logback.configurationFile") != null
                || FILES.stream().anyMatch(file -> loader.getResource(file) != null);
    }
}
