package io.evenkeel.cli.dev;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.PortTakenException;
import io.evenkeel.runtime.process.StartupException;
import java.net.BindException;

/**
 * Where the parts of {@code dev} listen; 0 takes any free port.
 *
 * @param http metrics and health
 * @param kafka the broker
 * @param kubernetes the Kubernetes API
 */
record Ports(int http, int kafka, int kubernetes) {
    static final String HTTP_FLAG = "--http-port";
    static final String KAFKA_FLAG = "--kafka-port";
    static final String KUBERNETES_FLAG = "--kube-port";

    /** What the sandbox says when a port is taken, in terms of our flags; other failures as they are. */
    static RuntimeException explain(Exception failure, String part, int port, String flag) {
        for (Throwable reason = failure; reason != null; reason = reason.getCause()) {
            if (reason instanceof BindException) {
                return new PortTakenException(port, part, flag, failure);
            }
        }
        return failure instanceof StartupException known
                ? known
                : new StartupException(
                        ExitCode.ERROR, capital(part) + " did not start: " + failure.getMessage(), failure);
    }

    private static String capital(String part) {
        return Character.toUpperCase(part.charAt(0)) + part.substring(1);
    }
}
