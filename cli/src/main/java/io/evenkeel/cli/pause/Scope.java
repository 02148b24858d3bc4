package io.evenkeel.cli.pause;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.Pause;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whose work: what is not said stands for all. */
final class Scope {
    @Option(names = "--controller", paramLabel = "NAME", description = "Work of one controller.")
    private Optional<String> controller = Optional.empty();

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "Work on one cluster.")
    private Optional<String> cluster = Optional.empty();

    @Option(
            names = "--object",
            paramLabel = "KEY",
            description = "Work on one object, by its key: <cluster>/<group or core>/<Kind>/<namespace or _>/<name>.")
    private Optional<String> object = Optional.empty();

    /** @throws StartupException if it is none, or no key */
    Pause pause(String reason, String by, Instant at) {
        controller.filter(name -> !ControllerKey.isName(name)).ifPresent(name -> {
            throw usage(
                    "'" + name + "' is not the name of a controller: 1 to 63 lower case letters, digits, '-' or '.'.");
        });
        object.ifPresent(Scope::requireKey);
        if (controller.isEmpty() && cluster.isEmpty() && object.isEmpty()) {
            throw usage("Say whose work: --controller, --cluster or --object.");
        }
        if (object.isPresent() && cluster.isPresent()) {
            throw usage("--object names its cluster itself: leave out --cluster.");
        }
        return new Pause(controller, cluster, object, reason, by, at);
    }

    private static void requireKey(String text) {
        try {
            ObjectKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw usage("'" + text + "' is not the key of an object: " + e.getMessage()
                    + ". Write <cluster>/<group or core>/<Kind>/<namespace or _>/<name>.");
        }
    }

    private static StartupException usage(String message) {
        return new StartupException(ExitCode.USAGE, message);
    }

    /** For people. */
    static String described(Pause pause) {
        String whose = pause.controller().map(name -> "controller " + name).orElse("all controllers");
        return whose
                + pause.object().or(pause::cluster).map(where -> " on " + where).orElse(" on all clusters");
    }
}
