package io.evenkeel.cli.about;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(name = "version", description = "Prints the version of this program and of what it runs on.")
public final class VersionCommand implements Callable<Integer> {
    private final Terminal terminal;

    /** Made by the command line. */
    public VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Build build = Build.current();
        terminal.out()
                .println("evenkeel " + build.version()
                        + build.commit().map(commit -> " (" + commit + ")").orElse(""));
        terminal.out().println("Kafka clients " + kafkaVersion());
        terminal.out()
                .println("Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + "), "
                        + System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private static String kafkaVersion() {
        try (InputStream stream = KafkaConsumer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            var properties = new Properties();
            if (stream != null) {
                properties.load(stream);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
