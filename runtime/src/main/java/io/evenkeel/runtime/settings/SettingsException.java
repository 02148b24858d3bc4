package io.evenkeel.runtime.settings;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.util.List;

/** Settings are wrong; the message lists everything that is wrong with them, one per line. */
public final class SettingsException extends StartupException {
    private static final long serialVersionUID = 1L;

    /** @param problems at least one; each names the key, the value, where it stands and what is allowed */
    public SettingsException(List<String> problems) {
        super(ExitCode.USAGE, String.join(System.lineSeparator(), problems));
    }
}
