package io.evenkeel.runtime.role;

import io.evenkeel.runtime.logging.LogSettings;
import io.evenkeel.runtime.logging.LogSetup;
import io.evenkeel.runtime.monitoring.HealthChecks;
import io.evenkeel.runtime.monitoring.HttpEndpoint;
import io.evenkeel.runtime.monitoring.HttpSettings;
import io.evenkeel.runtime.monitoring.Metrics;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one role as a process of its own: logging, metrics and health over HTTP, an orderly stop by signal. The role
 * itself is started by a {@link Starter}.
 */
public final class RoleProcess {
    /** Time for all parts to stop; below the 30 s that Kubernetes gives a pod. */
    public static final Duration STOP_LIMIT = Duration.ofSeconds(25);

    /** Settings that every role understands beside its own. */
    public static final Catalogue CATALOGUE = Catalogue.join(HttpSettings.CATALOGUE, LogSettings.CATALOGUE);

    private static final Logger log = LoggerFactory.getLogger(RoleProcess.class);

    private RoleProcess() {}

    /** Starts a role inside a process that is already observed. */
    @FunctionalInterface
    public interface Starter {
        /**
         * Starts the role and returns when it works.
         *
         * @return stops the role when closed
         * @throws StartupException if it can't start
         */
        AutoCloseable start(Settings settings, Host host);
    }

    /**
     * What a role finds in its process.
     *
     * @param metrics where it registers its meters
     * @param checks where it registers its health
     * @param life whom it tells that it can't go on
     */
    public record Host(Metrics metrics, HealthChecks checks, ProcessLife life) {}

    /**
     * For a {@code main} method: reads the command line and the environment, runs the role until the process is told to
     * stop, and says how it ended. What is wrong is printed to {@code err} in plain sentences.
     *
     * @param role its name, such as {@code watcher}
     * @param catalogue settings of the role without those in {@link #CATALOGUE}
     */
    public static ExitCode main(
            String role,
            Catalogue catalogue,
            String[] arguments,
            Map<String, String> environment,
            PrintStream err,
            Starter starter) {
        try {
            RoleArguments parsed = RoleArguments.parse(arguments);
            if (parsed.help()) {
                err.print(role + System.lineSeparator() + RoleArguments.USAGE);
                return ExitCode.OK;
            }
            Settings settings = SettingsReader.of(catalogue, CATALOGUE)
                    .ignoringGroups("watcher", "worker", "dev")
                    .file(parsed.file())
                    .environment(environment)
                    .flags(parsed.assignments())
                    .read();
            return run(role, settings, "http.port", starter);
        } catch (StartupException e) {
            err.println(role + ": " + e.getMessage());
            return e.exitCode();
        }
    }

    /**
     * Runs the role until the process is told to stop.
     *
     * @param settings read with the role's catalogue and {@link #CATALOGUE}
     * @param portSetting what a message names if the HTTP port is taken
     * @throws StartupException if it can't start; nothing is left running
     */
    public static ExitCode run(String role, Settings settings, String portSetting, Starter starter) {
        LogSetup.toStandardError(settings.as(LogSettings::from));
        HttpSettings http = settings.as(HttpSettings::from);
        try (var life = new ProcessLife(STOP_LIMIT)) {
            life.stopOnSignal();
            var checks = new HealthChecks();
            Metrics metrics = life.add("metrics", new Metrics());
            HttpEndpoint endpoint = life.add("HTTP endpoint", HttpEndpoint.start(http, portSetting, metrics, checks));
            life.add(role, starter.start(settings, new Host(metrics, checks, life)));
            log.atInfo()
                    .addKeyValue("role", role)
                    .addKeyValue("httpPort", endpoint.port())
                    .log("started");
            life.lastly(() -> log.atInfo().addKeyValue("role", role).log("stopped"));
            return life.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.ERROR;
        }
    }
}
