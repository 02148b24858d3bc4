package io.evenkeel.sandbox.kafka;

import kafka.server.FaultHandlerFactory;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.fault.FaultHandlerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a fault inside the broker and fails the operation that met it, where a broker on its own would halt. */
final class RecordedFaults implements FaultHandlerFactory {
    private static final Logger log = LoggerFactory.getLogger(RecordedFaults.class);

    @Override
    public FaultHandler build(String name, boolean fatal, Runnable action) {
        return (message, cause) -> {
            log.atError()
                    .setCause(cause)
                    .addKeyValue("where", name)
                    .addKeyValue("fatal", fatal)
                    .addKeyValue("fault", message)
                    .log("fault inside embedded Kafka");
            action.run();
            return new FaultHandlerException(name + ": " + message, cause);
        };
    }
}
