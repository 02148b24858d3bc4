package io.evenkeel.runtime.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * What Logback uses until {@link LogSetup} is called: warnings for people, on standard error. Without it Logback would
 * print everything down to debug on standard output, which belongs to what a command answers.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class DefaultConfigurator extends ContextAwareBase implements Configurator {
    /** Called by Logback, through {@code META-INF/services}. */
    public DefaultConfigurator() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (OwnConfiguration.exists()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LogSetup.configure(
                context,
                new LogSettings(LogSettings.Format.TEXT, LogSettings.Level.WARN),
                LogSetup.standardError(context, LogSettings.Format.TEXT, Level.TRACE));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
