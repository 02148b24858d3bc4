package io.evenkeel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.AllSettings;
import io.evenkeel.cli.explain.WhyCommand;
import io.evenkeel.cli.pause.PauseCommand;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.reconciler.Backoff;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.monitoring.Metrics;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsReader;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerConfig;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Secrets are planted wherever an object may hold one; then everything that the engine leaves behind is searched for them. */
class CanaryIT {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(2);
    private static final String KEY = Canary.named("redaction-key");
    private static final String TOKEN = Canary.named("bearer-token");
    private static final String WEAK_TOKEN = Canary.named("token-that-may-little");
    private static final String CLUSTER = "test";
    private static final String REFUSED = "refused";
    private static final String TRIED_TWICE = "tried-twice";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final Map<String, byte[]> haystacks = new TreeMap<>();
    private final StringWriter printed = new StringWriter();

    @Test
    void givenSecretsEverywhere_whenTheyAreListedWatchedAndReconciled_thenNoneIsLeftBehindAnywhere() throws Exception {
        try (KubeSim kubernetes = KubeSim.builder().start();
                EmbeddedKafka kafka = EmbeddedKafka.builder()
                        .dataFolder(folder.resolve("kafka"))
                        .build()
                        .start();
                var logs = new CapturedLogs(folder.resolve("captured.log"));
                var metrics = new Metrics()) {
            kubernetes.access().grantAll(TOKEN, "canary");
            Settings settings = settings(kafka, kubernetes, CLUSTER, TOKEN);
            try (var topics = new TopicAdmin(settings.as(KafkaSettings::from), settings.as(TopicSettings::from))) {
                assertThat(topics.apply().remaining()).isEmpty();
            }
            play(settings, kubernetes, kafka.bootstrapServers(), metrics);
            beRefused(kafka, kubernetes, metrics);
            command(kafka, "why", new WhyCommand(terminal()), "configmap/last", "-o", "json");
            command(kafka, "why it died", new WhyCommand(terminal()), "configmap/" + REFUSED);
            command(kafka, "pause", new PauseCommand(terminal()), "--cluster", CLUSTER, "--reason", "the end");
            haystacks.putAll(topics(kafka.bootstrapServers()));
            assertThat(logs.lines()).isPositive();
        }
        haystacks.putAll(files());
        haystacks.putAll(NativeStores.under(folder));

        assertThat(haystacks.entrySet().stream()
                        .flatMap(haystack ->
                                Canary.in(haystack.getValue()).stream().map(found -> haystack.getKey() + ": " + found)))
                .isEmpty();
        everythingWasSearched();
    }

    private void everythingWasSearched() {
        assertThat(haystacks.entrySet().stream()
                        .filter(haystack -> text(haystack.getValue()).contains(PlantedSecrets.HARMLESS))
                        .map(Map.Entry::getKey))
                .as("the search finds what is not secret")
                .contains("topic evenkeel.events", "topic evenkeel.objects")
                .anyMatch(name -> name.startsWith("kafka/node-1/evenkeel.objects"))
                .anyMatch(name -> name.startsWith("store worker/"));
        assertThat(Stream.of(Topic.values()).filter(CanaryIT::isWritten).map(topic -> "topic " + LAYOUT.name(topic)))
                .isSubsetOf(haystacks.keySet());
        assertThat(haystacks.keySet())
                .contains("captured.log", "topic __transaction_state", "topic __consumer_offsets")
                .anyMatch(name -> name.startsWith("store watcher/"))
                .anyMatch(name -> name.endsWith("-changelog"));
        assertThat(text(haystack("metrics while it is watched"))).contains("evenkeel_watcher_events_total");
        assertThat(text(haystack("topic " + LAYOUT.name(Topic.WATCH_STATUS))))
                .contains("refuses list on secrets (403)");
        assertThat(text(haystack("topic " + LAYOUT.name(Topic.DEAD_LETTERS)))).contains("INVALID_NAME of the handler");
        assertThat(text(haystack("why"))).contains("of-last");
        assertThat(text(haystack("why it died"))).contains("INVALID_NAME of the handler");
    }

    /** Whether this play has to bring something to the topic; a new topic is to be brought in here, and then into the play. */
    private static boolean isWritten(Topic topic) {
        return switch (topic) {
            case EVENTS, OBJECTS, WATCH_STATE, REQUESTS, OUTCOMES, RETRY_100MS, DEAD_LETTERS, WATCH_STATUS, CONTROLS ->
                true;
            // The same records as on the first tier, some time later.
            case RETRY_500MS, RETRY_2S, RETRY_10S, RETRY_1M, RETRY_10M, RETRY_1H -> false;
            case AUDIT -> false; // nobody writes it yet
        };
    }

    private byte[] haystack(String name) {
        return haystacks.getOrDefault(name, new byte[0]);
    }

    /** A watcher that may see nothing but ConfigMaps, of which another cluster has none: it tells what it was refused. */
    private void beRefused(EmbeddedKafka kafka, KubeSim kubernetes, Metrics metrics) throws IOException {
        kubernetes
                .access()
                .grant(
                        WEAK_TOKEN,
                        "weak",
                        List.of(new User.Rule(Set.of("list", "watch"), Set.of("configmaps"), Set.of("*"))));
        Settings settings = settings(kafka, kubernetes, "weak", WEAK_TOKEN);
        try (Watcher watcher = watcher(settings, metrics);
                var statuses = new EventLog(kafka.bootstrapServers(), LAYOUT, Topic.WATCH_STATUS)) {
            await("it says what it may not")
                    .atMost(PATIENCE)
                    .until(() -> statuses.records().stream()
                            .anyMatch(record -> record.value() != null
                                    && text(record.value()).contains("(403)")));
            assertThat(watcher.notReady()).isPresent();
            sample(metrics, "while it is refused");
        }
    }

    private void sample(Metrics metrics, String when) {
        haystacks.put("metrics " + when, metrics.registry().scrape().getBytes(StandardCharsets.UTF_8));
    }

    private Terminal terminal() {
        return new Terminal(
                new PrintWriter(printed),
                new PrintWriter(printed),
                Optional.empty(),
                Map.of(),
                Clock.systemUTC(),
                ZoneOffset.UTC);
    }

    /** Keeps what a command prints. */
    private void command(EmbeddedKafka kafka, String name, Object command, String... arguments) {
        printed.getBuffer().setLength(0);
        int exitCode = new CommandLine(command)
                .execute(Stream.concat(
                                Stream.of(arguments), Stream.of("--bootstrap-servers=" + kafka.bootstrapServers()))
                        .toArray(String[]::new));
        haystacks.put(name, printed.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(exitCode).as(printed.toString()).isZero();
    }

    private void play(Settings settings, KubeSim kubernetes, String kafka, Metrics metrics) throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(kubernetes.kubeconfig()))
                        .build();
                var worker = worker().start(settings.as(WorkerConfig::from), metrics.registry());
                var events = new EventLog(kafka, LAYOUT, Topic.EVENTS);
                var outcomes = new EventLog(kafka, LAYOUT, Topic.OUTCOMES);
                var deadLetters = new EventLog(kafka, LAYOUT, Topic.DEAD_LETTERS)) {
            var planted = new PlantedSecrets(client);
            planted.plant("before");
            try (Watcher watcher = watcher(settings, metrics)) {
                awaitLive(watcher);
                planted.plant("watched");
                planted.change("watched");
                planted.delete("before");
                planted.plant("last-watched");
                awaitEvent(events, "last-watched");
                sample(metrics, "while it is watched");
            }
            planted.change("watched");
            planted.plant("away");
            planted.delete("last-watched");
            kubernetes.compact();
            try (Watcher watcher = watcher(settings, metrics)) {
                awaitLive(watcher);
                planted.plant("last");
                awaitEvent(events, "last");
                await("the handler's Secret is on the log")
                        .atMost(PATIENCE)
                        .until(() -> events.events().stream()
                                .anyMatch(event -> event.name().equals("of-last")));
                planted.change("last");
                await("the handler reads its own Secret as the log has it")
                        .atMost(PATIENCE)
                        .until(() -> outcomes.records().stream()
                                .anyMatch(record -> text(record.value()).contains("it is hmac-sha256:")));
                planted.configMap(TRIED_TWICE);
                planted.configMap(REFUSED);
                await("what the API server refuses is a dead letter, and what never succeeds")
                        .atMost(PATIENCE)
                        .until(() -> deadLetters.newest().size() == 2);
                sample(metrics, "in the end");
            }
            assertThat(events.gaps()).isNotEmpty();
            assertThat(events.events())
                    .filteredOn(event -> event.name().equals("large-watched"))
                    .isNotEmpty()
                    .allSatisfy(event -> assertThat(event.objectOmitted()).isPresent());
            assertThat(worker.deadBecause()).isEmpty();
        }
    }

    /** Gives each ConfigMap a Secret of its own, and tells how the log shows it. */
    private static Worker worker() {
        return Worker.named("secret-keeper")
                .reconcile(ConfigMap.class)
                .owning(Secret.class)
                .backoff(Backoff.exponential().upTo(2))
                .with(CanaryIT::reconcile);
    }

    private static Outcome reconcile(ConfigMap map, Context<ConfigMap> context) {
        String reason = context.secondary(Secret.class)
                .map(secret -> secret.getData().getOrDefault("token", ""))
                .filter(token -> token.startsWith("hmac-sha256:")) // its own write comes first, and is in the clear
                .map(token -> "it is " + token)
                .orElse("not on the log yet");
        if (map.getMetadata().getName().equals(TRIED_TWICE)) {
            return Outcome.retry("never ready");
        }
        boolean refused = map.getMetadata().getName().equals(REFUSED);
        context.apply(new SecretBuilder()
                .withNewMetadata()
                .withName(
                        refused
                                ? "INVALID_NAME of the handler"
                                : "of-" + map.getMetadata().getName())
                .endMetadata()
                .addToStringData(
                        "token", Canary.named("handler-" + map.getMetadata().getName()))
                .build());
        return Outcome.waiting(reason);
    }

    private static Watcher watcher(Settings settings, Metrics metrics) {
        var watcher = new Watcher(
                settings.as(WatcherConfig::from),
                settings.as(ClusterChoice::from).open(),
                settings.as(KafkaSettings::from),
                settings.as(TopicSettings::from),
                metrics.registry(),
                Clock.systemUTC(),
                new SplittableRandom(7));
        watcher.start();
        return watcher;
    }

    private Settings settings(EmbeddedKafka kafka, KubeSim kubernetes, String cluster, String token)
            throws IOException {
        Path outside = Files.createDirectories(folder.resolve("configuration"));
        Path kubeconfig = Files.writeString(
                outside.resolve("kubeconfig-of-" + cluster),
                kubernetes.kubeconfig().replace(kubernetes.token(), token));
        Path key = Files.writeString(outside.resolve("key"), KEY);
        return SettingsReader.of(AllSettings.CATALOGUE)
                .program(
                        "test",
                        Map.ofEntries(
                                Map.entry("kafka.bootstrap.servers", kafka.bootstrapServers()),
                                Map.entry("topics.partitions", "2"),
                                Map.entry("topics.watch-state-partitions", "2"),
                                Map.entry("topics.replication-factor", "1"),
                                Map.entry("topics.min-insync-replicas", "1"),
                                Map.entry("cluster.name", cluster),
                                Map.entry("cluster.kubeconfig", kubeconfig.toString()),
                                Map.entry("watcher.resources", "secrets,configmaps,deployments.apps"),
                                Map.entry("watcher.max-record-bytes", "20000"),
                                Map.entry("watcher.redaction-key-file", key.toString()),
                                Map.entry("watcher.redact", PlantedSecrets.REDACT),
                                Map.entry(
                                        "watcher.state-dir",
                                        folder.resolve("watcher")
                                                .resolve(cluster)
                                                .toString()),
                                Map.entry(
                                        "worker.state-dir",
                                        folder.resolve("worker").toString())))
                .read();
    }

    private static void awaitLive(Watcher watcher) {
        await("all shards are live")
                .atMost(PATIENCE)
                .until(() -> watcher.notReady().isEmpty());
    }

    /** Of the Deployment, which is planted last; the others lie on shards of their own. */
    private static void awaitEvent(EventLog events, String name) {
        await(name + " is on the log")
                .atMost(PATIENCE)
                .until(() -> events.events().stream()
                                .filter(event -> event.name().equals(name)
                                        || event.name().equals("large-" + name))
                                .map(event -> event.kind() + event.name())
                                .distinct()
                                .count()
                        == 4);
    }

    /** Everything that a consumer can get of any topic: keys, values and headers, aborted transactions too. */
    private static Map<String, byte[]> topics(String bootstrapServers) {
        var contents = new TreeMap<String, ByteArrayOutputStream>();
        try (var consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_uncommitted",
                        ConsumerConfig.EXCLUDE_INTERNAL_TOPICS_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.listTopics().values().stream()
                    .flatMap(List::stream)
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    append(
                            record,
                            contents.computeIfAbsent("topic " + record.topic(), unused -> new ByteArrayOutputStream()));
                }
            }
        }
        var bytes = new TreeMap<String, byte[]>();
        contents.forEach((topic, content) -> bytes.put(topic, content.toByteArray()));
        return bytes;
    }

    private static void append(ConsumerRecord<byte[], byte[]> record, ByteArrayOutputStream content) {
        for (byte[] part : new byte[][] {record.key(), record.value()}) {
            content.writeBytes(part == null ? new byte[0] : part);
            content.write('\n');
        }
        record.headers().forEach(header -> {
            content.writeBytes((header.key() + "=").getBytes(StandardCharsets.UTF_8));
            content.writeBytes(header.value() == null ? new byte[0] : header.value());
            content.write('\n');
        });
    }

    /** What lies on disk; Kafka's index files hold offsets and times and are as large as they may become. */
    private Map<String, byte[]> files() throws IOException {
        var contents = new TreeMap<String, byte[]>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                if (!name.startsWith("configuration/") && !name.endsWith("index")) {
                    contents.put(name, Files.readAllBytes(file));
                }
            }
        }
        return contents;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
