package io.evenkeel.cli.dev;

import io.evenkeel.api.topic.TopicDifference;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.AllSettings;
import io.evenkeel.cli.connection.RunningDev;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.logging.LogSettings;
import io.evenkeel.runtime.logging.LogSetup;
import io.evenkeel.runtime.monitoring.HealthChecks;
import io.evenkeel.runtime.monitoring.HttpEndpoint;
import io.evenkeel.runtime.monitoring.HttpSettings;
import io.evenkeel.runtime.monitoring.Metrics;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsReader;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** One run of {@code dev}: starts all parts in order, says what to try, and stops them in the opposite order. */
final class Dev {
    /** Below the 5 s after which people lose patience; the rest is the JVM's. */
    private static final Duration STOP_LIMIT = Duration.ofMillis(4_500);

    private final Terminal terminal;
    private final KubernetesChoice choice;
    private final Ports ports;
    private final Optional<Path> file;
    private final List<String> assignments;
    private final boolean stopWhenReady;

    /** @param stopWhenReady for whoever only wants to see that it starts, such as the launcher that wants the classes loaded */
    Dev(
            Terminal terminal,
            KubernetesChoice choice,
            Ports ports,
            Optional<Path> file,
            List<String> assignments,
            boolean stopWhenReady) {
        this.terminal = terminal;
        this.choice = choice;
        this.ports = ports;
        this.file = file;
        this.assignments = assignments;
        this.stopWhenReady = stopWhenReady;
    }

    /**
     * Runs until the process is told to stop.
     *
     * @param folder closed at the end, whatever happens
     * @throws StartupException if a part can't start; nothing is left running then
     */
    ExitCode run(DataFolder folder) throws InterruptedException {
        Instant begun = terminal.clock().instant();
        try (var life = new ProcessLife(STOP_LIMIT)) {
            life.add("data folder", folder);
            life.stopOnSignal();
            start(folder, life, begun);
            life.lastly(() -> say(stopped(life)));
            return life.await();
        }
    }

    private void start(DataFolder folder, ProcessLife life, Instant begun) throws InterruptedException {
        LogSetup.toFile(settings(folder, Map.of()).as(LogSettings::from), folder.log());
        say("Starting Kafka, a Kubernetes API, watcher and worker on " + folder.path());
        var checks = new HealthChecks();
        Metrics metrics = life.add("metrics", new Metrics());
        HttpEndpoint http = life.add(
                "HTTP endpoint",
                HttpEndpoint.start(new HttpSettings("127.0.0.1", ports.http()), Ports.HTTP_FLAG, metrics, checks));

        Outside outside = Outside.start(choice, ports, folder, terminal.environment(), life);
        EmbeddedKafka kafka = outside.kafka();
        LocalKubernetes kubernetes = outside.kubernetes();

        var known = new HashMap<>(DevSettings.TOPICS);
        known.put(KafkaSettings.BOOTSTRAP_SERVERS.key(), kafka.bootstrapServers());
        known.put("cluster.kubeconfig", kubernetes.kubeconfig().toString());
        Settings settings = settings(folder, known);
        prepare(settings, kubernetes);

        Engine engine = Engine.start(settings, metrics, checks, life);
        engine.awaitReady();
        life.add("announcement", announce(folder, known));
        Greeting.print(terminal, folder.path(), kubernetes, kafka.bootstrapServers(), http.port(), begun);
        if (stopWhenReady) {
            life.stop();
        }
    }

    private void prepare(Settings settings, LocalKubernetes kubernetes) throws InterruptedException {
        Runnable installation = kubernetes.ours() ? () -> ExampleDefinition.install(kubernetes.kubeconfig()) : () -> {};
        Together.run(() -> applyTopics(settings), installation);
    }

    private static void applyTopics(Settings settings) {
        TopicLayout layout = settings.as(TopicSettings::from);
        try (var topics = new TopicAdmin(settings.as(KafkaSettings::from), layout)) {
            List<TopicDifference> remaining = topics.apply().remaining();
            if (!remaining.isEmpty()) {
                throw new StartupException(
                        ExitCode.ERROR,
                        remaining.stream().map(TopicDifference::message).collect(Collectors.joining("\n")));
            }
        }
    }

    private Settings settings(DataFolder folder, Map<String, String> known) {
        var values = new HashMap<>(DevSettings.of(folder));
        values.putAll(known);
        return SettingsReader.of(AllSettings.CATALOGUE)
                .program("dev", values)
                .file(file)
                .environment(environmentWithoutKafka())
                .flags(assignments)
                .read();
    }

    /** Where another Kafka is meant for other commands, {@code dev} still works with its own. */
    private Map<String, String> environmentWithoutKafka() {
        var environment = new HashMap<>(terminal.environment());
        environment.remove(KafkaSettings.BOOTSTRAP_SERVERS.variable());
        return environment;
    }

    private AutoCloseable announce(DataFolder folder, Map<String, String> known) {
        try {
            return RunningDev.ofThisProcess(folder.path(), known).announce(terminal.environment());
        } catch (IOException e) {
            throw new StartupException(
                    ExitCode.ERROR, "Other commands could not be told of this dev: " + e.getMessage(), e);
        }
    }

    private static String stopped(ProcessLife life) {
        return life.late().isEmpty()
                ? "Stopped."
                : "Stopped; these parts did not stop in time: " + String.join(", ", life.late()) + ".";
    }

    private void say(String text) {
        terminal.err().println(text);
        terminal.err().flush();
    }
}
