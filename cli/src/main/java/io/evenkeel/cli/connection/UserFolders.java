package io.evenkeel.cli.connection;

import java.nio.file.Path;
import java.util.Map;

/** Where files of this user lie (XDG Base Directory Specification 0.8). */
public final class UserFolders {
    private UserFolders() {}

    /** Our folder in the user's data folder. */
    public static Path data(Map<String, String> environment) {
        String configured = environment.getOrDefault("XDG_DATA_HOME", "");
        // The specification says that a relative path is to be ignored.
        Path base = Path.of(configured).isAbsolute()
                ? Path.of(configured)
                : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".local", "share");
        return base.resolve("evenkeel");
    }
}
