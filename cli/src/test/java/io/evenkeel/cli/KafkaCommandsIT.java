package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Actor;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.Failure;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.record.Undecodable;
import io.evenkeel.api.record.WatchStatus;
import io.evenkeel.api.record.Write;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.ledger.Failures;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.Lane;
import io.evenkeel.worker.ledger.LedgerChangelog;
import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.LedgerFormat;
import io.evenkeel.worker.ledger.Positions;
import io.evenkeel.worker.ledger.Primary;
import io.evenkeel.worker.ledger.Sighting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every test works under a topic prefix of its own. */
class KafkaCommandsIT {
    private static final int PARTITIONS = 3;
    private static final ObjectKey SESSIONS =
            new ObjectKey("local", "cache.example.com", "Memcached", "default", "sessions");
    private static final ObjectKey CARTS = new ObjectKey("local", "cache.example.com", "Memcached", "shop", "carts");

    private static EmbeddedKafka kafka;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.builder().build().start();
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    void givenMissingTopics_whenCheckedAndApplied_thenExitCodesTellTheDifference() {
        CommandRun missing = run("a.", "topics", "check");
        CommandRun applied = run("a.", "topics", "apply");
        CommandRun good = run("a.", "topics", "check");
        CommandRun again = run("a.", "topics", "apply");

        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.out()).contains("topic a.events does not exist. Create it with: evenkeel topics apply");
        assertThat(applied.exitCode()).isZero();
        assertThat(applied.out()).contains("created a.events with 3 partitions");
        assertThat(good.exitCode()).isZero();
        assertThat(good.out()).contains("are as they should be");
        assertThat(again.out()).startsWith("Nothing to do");
    }

    @Test
    void givenATopicWithAnotherSetting_whenCheckedAndApplied_thenItIsNamedAndMended() throws Exception {
        run("l.", "topics", "apply");
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var other = new AlterConfigOp(new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(
                            Map.of(new ConfigResource(ConfigResource.Type.TOPIC, "l.objects"), List.of(other)))
                    .all()
                    .get();
        }

        // The broker that answers learns of a setting a moment after the controller has taken it.
        await().untilAsserted(() -> {
            CommandRun differs = run("l.", "topics", "check");
            assertThat(differs.exitCode()).isEqualTo(1);
            assertThat(differs.out())
                    .contains("topic l.objects has cleanup.policy=delete but it should be compact")
                    .doesNotContain("l.events");
        });
        assertThat(run("l.", "topics", "apply").exitCode()).isZero();
        await().untilAsserted(() ->
                assertThat(run("l.", "topics", "check").exitCode()).isZero());
    }

    /** Else a first batch is refused by a leader that knows nothing yet, and a second one taken: in disorder for good. */
    @Test
    void givenTopicsThatWereMadeJustNow_whenManyBatchesAreSentAtOnce_thenNoneIsOutOfOrder() {
        var layout = TopicLayout.singleBroker(4);
        try (var fresh = EmbeddedKafka.builder().build().start()) {
            KafkaSettings settings = KafkaSettings.at(fresh.bootstrapServers());
            try (var topics = new TopicAdmin(settings, layout)) {
                topics.apply();
            }
            try (var producer = new KafkaProducer<>(
                    settings.mapWith(
                            Map.of(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10, ProducerConfig.LINGER_MS_CONFIG, 5)),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                List<Future<RecordMetadata>> sent = IntStream.range(0, 2_000)
                        .mapToObj(number -> producer.send(new ProducerRecord<>(
                                layout.name(Topic.EVENTS), number % 4, new byte[] {1}, new byte[1_000])))
                        .toList();
                assertThat(sent).allSatisfy(one -> assertThat(one).succeedsWithin(Duration.ofSeconds(30)));
            }
        }
    }

    /** A broker hears of a topic a moment after the controller has made it. */
    @Test
    void givenManyInstallationsMadeAtOnce_whenApplied_thenEachWaitsUntilTheBrokerKnowsItsTopics() {
        IntStream.range(0, 16).parallel().forEach(number -> {
            try (var topics = new TopicAdmin(
                    KafkaSettings.at(kafka.bootstrapServers()),
                    new TopicLayout("x" + number + ".", 12, 12, (short) 1, (short) 1))) {
                assertThat(topics.apply().remaining()).isEmpty();
                assertThat(topics.check()).isEmpty();
            }
        });
    }

    @Test
    void givenOtherNumberOfPartitions_whenApplied_thenItIsLeftToAPerson() {
        run("b.", "topics", "apply");

        CommandRun run = run("b.", "topics", "apply", "--set", "topics.partitions=5");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("topic b.events has 3 partitions but 5 are configured");
    }

    @Test
    void givenEventsOnSeveralPartitions_whenShown_thenTheyComeInOrderOfTime() throws Exception {
        run("c.", "topics", "apply");
        send("c.events", SESSIONS.toString(), SESSIONS, event(SESSIONS, 11, ChangeType.ADDED), 1_000);
        send("c.events", CARTS.toString(), CARTS, event(CARTS, 12, ChangeType.ADDED), 2_000);
        send("c.events", SESSIONS.toString(), SESSIONS, event(SESSIONS, 13, ChangeType.DELETED), 3_000);

        CommandRun all = run("c.", "events");
        CommandRun two = run("c.", "events", "-c", "2", "-o", "json", "--follow");
        CommandRun late = run("c.", "events", "--from", "1970-01-01T00:00:02Z");

        assertThat(all.exitCode()).isZero();
        assertThat(all.out().lines())
                .containsExactly(
                        "2026-11-30 09:14:02.011  ADDED     local  Memcached default/sessions            v11     spec",
                        "2026-11-30 09:14:02.012  ADDED     local  Memcached shop/carts                  v12     spec",
                        "2026-11-30 09:14:02.013  DELETED   local  Memcached default/sessions            v13");
        assertThat(two.out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(Json.read(line.getBytes(StandardCharsets.UTF_8), ChangeEvent.class)
                                .type())
                        .isEqualTo(ChangeType.ADDED));
        assertThat(late.out().lines()).hasSize(2);
    }

    @Test
    void givenWorkThatIsPaused_whenListedAndResumed_thenPeopleSeeWhoseAndWhy() {
        run("p.", "topics", "apply");

        CommandRun none = run("p.", "pauses");
        CommandRun controller =
                run("p.", "pause", "--controller", "memcached-operator", "-c", "eu-1", "--reason", "bad release");
        CommandRun object = run("p.", "pause", "--object", SESSIONS.toString());
        CommandRun list = run("p.", "pauses");
        CommandRun narrower = run("p.", "resume", "--controller", "memcached-operator");
        CommandRun resumed = run("p.", "resume", "--controller", "memcached-operator", "-c", "eu-1");
        CommandRun all = run("p.", "resume", "--all");

        assertThat(none.out()).isEqualToIgnoringNewLines("Nothing is paused.");
        assertThat(controller.out()).startsWith("paused: controller memcached-operator on eu-1");
        assertThat(object.out()).startsWith("paused: all controllers on " + SESSIONS);
        assertThat(list.out().lines().map(line -> line.replaceAll(" +", " ")))
                .hasSize(3)
                .anySatisfy(line ->
                        assertThat(line).startsWith("memcached-operator eu-1 ").endsWith("bad release"))
                .anySatisfy(line -> assertThat(line).startsWith("* " + SESSIONS));
        assertThat(narrower.exitCode()).isEqualTo(3);
        assertThat(narrower.err()).contains("no pause of controller memcached-operator on all clusters");
        assertThat(resumed.exitCode()).isZero();
        assertThat(all.out()).startsWith("resumed: all controllers on " + SESSIONS);
        assertThat(run("p.", "pauses").out()).startsWith("Nothing is paused.");
    }

    @Test
    void givenAPauseOfNothingInParticular_whenAsked_thenItSaysWhatToName() {
        CommandRun everything = run("p2.", "pause");
        CommandRun noKey = run("p2.", "pause", "--object", "web");
        CommandRun noName = run("p2.", "pause", "--controller", "My Operator");

        assertThat(everything.exitCode()).isEqualTo(2);
        assertThat(everything.err()).contains("--controller, --cluster or --object");
        assertThat(noKey.exitCode()).isEqualTo(2);
        assertThat(noKey.err()).contains("<cluster>/<group or core>/<Kind>/<namespace or _>/<name>");
        assertThat(noName.err()).contains("'My Operator'");
    }

    @Test
    void givenRecordThatAWorkerPutAside_whenListedAndShown_thenItsErrorAndItsBytesAreThere() throws Exception {
        run("g.", "topics", "apply");
        String key = Undecodable.key("g.objects", 2, 17);
        try (var producer = producer()) {
            var aside = new ProducerRecord<>(
                    "g.dead-letters", 2, key.getBytes(StandardCharsets.UTF_8), new byte[] {'{', 1, '}'});
            aside.headers().add(Undecodable.ERROR, "no JSON".getBytes(StandardCharsets.UTF_8));
            producer.send(aside).get();
        }

        CommandRun list = run("g.", "dead-letters", "list");
        CommandRun show = run("g.", "dead-letters", "show", key);

        assertThat(list.err()).isEmpty();
        assertThat(list.out()).contains("No dead letters.", "1 record could not be read", key, "no JSON");
        assertThat(show.out()).contains(key, "no JSON", "{\\x01}");
    }

    @Test
    void givenDeadLetters_whenListedAndShown_thenTombstonesAreLeftOut() throws Exception {
        run("d.", "topics", "apply");
        CommandRun none = run("d.", "dead-letters", "list");
        park("d.", SESSIONS, "2026-11-30T09:17:00Z");
        park("d.", CARTS, "2026-11-30T09:16:00Z");
        tombstone("d.", CARTS);

        CommandRun list = run("d.", "dead-letters", "list");
        CommandRun show = run("d.", "dead-letters", "show", "default/sessions");
        CommandRun absent = run("d.", "dead-letters", "show", "shop/carts");

        assertThat(none.out().strip()).isEqualTo("No dead letters.");
        assertThat(list.out().lines())
                .containsExactly(
                        "CONTROLLER          CLUSTER  OBJECT                      REASON           ATTEMPTS"
                                + "  PARKED                           ERROR",
                        "memcached-operator  local    Memcached default/sessions  out of attempts  5       "
                                + "  2026-11-30 09:17:00 (3 min ago)  ConnectException: refused");
        assertThat(show.out())
                .contains("memcached-operator/local/cache.example.com/Memcached/default/sessions")
                .contains("java.net.ConnectException")
                .contains("at Example.java:1");
        assertThat(absent.exitCode()).isEqualTo(2);
        assertThat(absent.err()).contains("There is no dead letter 'shop/carts' (1 dead letter in all)");
    }

    @Test
    void givenDeadLetters_whenRedriven_thenRequestsAreWrittenOnlyAfterAYes() throws Exception {
        run("e.", "topics", "apply");
        park("e.", SESSIONS, "2026-11-30T09:17:00Z");
        park("e.", CARTS, "2026-11-30T09:16:00Z");

        CommandRun script = run("e.", "dead-letters", "redrive", "--all");
        CommandRun no = CommandRun.answering("n\n", environment(), arguments("e.", "dead-letters", "redrive", "--all"));
        assertThat(requests("e.")).isEmpty();
        CommandRun yes = CommandRun.answering(
                "y\n", environment(), arguments("e.", "dead-letters", "redrive", "default/sessions"));
        CommandRun all = run("e.", "dead-letters", "redrive", "--all", "--yes");

        assertThat(script.exitCode()).isEqualTo(2);
        assertThat(script.err()).contains("2 dead letters").contains("--yes");
        assertThat(no.err()).contains("Send 2 dead letters back to work? [y/N]").contains("Nothing was sent.");
        assertThat(yes.out())
                .contains("sent back to work: memcached-operator/local/cache.example.com/Memcached/default");
        assertThat(all.exitCode()).isZero();
        assertThat(requests("e."))
                .extracting(ReconcileRequest::primary)
                .containsExactlyInAnyOrder(SESSIONS.toString(), SESSIONS.toString(), CARTS.toString());
        assertThat(requests("e."))
                .allSatisfy(request -> assertThat(request.reason()).isInstanceOf(RequestReason.Redrive.class));
    }

    /** The workers run on the topic as it is, whatever is configured where the command runs. */
    @Test
    void givenOtherNumberOfPartitionsConfigured_whenRedriven_thenRequestsGoWhereTheWorkersReadThem() throws Exception {
        run("k.", "topics", "apply");
        park("k.", SESSIONS, "2026-11-30T09:17:00Z");
        park("k.", CARTS, "2026-11-30T09:16:00Z");
        List<ObjectKey> parked = List.of(SESSIONS, CARTS);
        assertThat(parked)
                .anySatisfy(key ->
                        assertThat(Partitioner.partition(key, 5)).isNotEqualTo(Partitioner.partition(key, PARTITIONS)));

        CommandRun run = run("k.", "dead-letters", "redrive", "--all", "--yes", "--set", "topics.partitions=5");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(requestsByPartition("k."))
                .containsExactlyInAnyOrderElementsOf(parked.stream()
                        .map(key -> Partitioner.partition(key, PARTITIONS) + " " + key)
                        .toList());
    }

    @Test
    void givenManyDeadLetters_whenSomeAreRedriven_thenTheyAreShownFirstAndOnlyTheyAreSent() throws Exception {
        run("s.", "topics", "apply");
        park("s.", SESSIONS, "2026-11-30T09:17:00Z");
        park("s.", CARTS, "2026-11-30T09:16:00Z");

        CommandRun list = run("s.", "dead-letters", "list");
        CommandRun ofShop = run("s.", "dead-letters", "list", "-n", "shop");
        CommandRun none = run("s.", "dead-letters", "list", "--error", "timeout");
        CommandRun unsaid = run("s.", "dead-letters", "redrive", "--yes");
        CommandRun preview = run("s.", "dead-letters", "redrive", "--reason", "out-of-attempts", "--dry-run");
        assertThat(requests("s.")).isEmpty();
        CommandRun some = run("s.", "dead-letters", "redrive", "-n", "shop", "--error", "refused", "--yes");
        assertThat(requests("s.")).extracting(ReconcileRequest::primary).containsExactly(CARTS.toString());
        CommandRun slow = run("s.", "dead-letters", "redrive", "--all", "--rate", "1", "--yes");

        assertThat(list.out().lines().limit(2).map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "CONTROLLER REASON ERROR COUNT",
                        "memcached-operator out of attempts ConnectException 2 " + "#".repeat(40));
        assertThat(ofShop.out()).contains("shop/carts").doesNotContain("default/sessions");
        assertThat(none.out()).startsWith("No dead letters.");
        assertThat(unsaid.exitCode()).isEqualTo(2);
        assertThat(unsaid.err()).contains("Say which");
        assertThat(preview.out()).contains(SESSIONS + "  refused").contains("Nothing was sent: --dry-run.");
        assertThat(some.out()).contains("sent back to work").doesNotContain("default/sessions");
        assertThat(slow.err()).contains("1 of 2; Ctrl-C keeps the rest");
        assertThat(requests("s.")).hasSize(3);
    }

    @Test
    void givenAttemptsAndEvents_whenAskedWhy_thenTheChainIsTold() throws Exception {
        run("w.", "topics", "apply");
        ObjectKey child = new ObjectKey("local", "apps", "Deployment", "default", "sessions");
        ChangeEvent cause = event(
                SESSIONS,
                11,
                ChangeType.ADDED,
                List.of(new Actor(
                        "kubectl", "Apply", Optional.empty(), Optional.of(Instant.parse("2026-11-30T09:14:02Z")))));
        sendEvent("w.events", SESSIONS, cause);
        sendEvent("w.events", child, event(child, 15, ChangeType.ADDED));
        sendEvent("w.events", CARTS, event(CARTS, 12, ChangeType.ADDED));
        var attempt = new AttemptOutcome(
                "memcached-operator",
                SESSIONS.toString(),
                "attempt-1",
                1,
                "w-1",
                List.of(new Cause("PRIMARY_CHANGED", Optional.of(cause.id()), "spec", cause.observedAt())),
                "uid",
                "11",
                Optional.of(1L),
                Instant.parse("2026-11-30T09:14:02.020Z"),
                Instant.parse("2026-11-30T09:14:02.043Z"),
                AttemptOutcome.Result.WAITING,
                "DeploymentNotReady",
                Optional.empty(),
                List.of(new Write(
                        "apply", child.toString(), Optional.empty(), Optional.of("uid"), Optional.of("15"), "hash")),
                Optional.empty());
        send("w.outcomes", attempt.key().toString(), SESSIONS, attempt, 1_000);

        CommandRun why = run("w.", "why", "memcacheds/sessions", "--from", "beginning");
        CommandRun json = run("w.", "why", "Memcached.cache.example.com/sessions", "--from", "beginning", "-o", "json");
        CommandRun unknown = run("w.", "why", "memcached/carts", "-n", "shop", "--from", "beginning");
        CommandRun noName = run("w.", "why", "memcached");

        assertThat(why.out().lines())
                .containsExactly(
                        "Memcached default/sessions on local",
                        "",
                        "2026-11-30 09:14:02.011  because  primary changed: ADDED Memcached default/sessions v11 spec"
                                + " by kubectl",
                        "2026-11-30 09:14:02.020  attempt  memcached-operator #1 on w-1: waiting after 23 ms,"
                                + " DeploymentNotReady",
                        "                         wrote    apply Deployment default/sessions as v15",
                        "2026-11-30 09:14:02.015  became   ADDED Deployment default/sessions v15 spec");
        assertThat(json.out().lines()).singleElement().asString().contains("\"actors\":[\"kubectl\"]");
        assertThat(unknown.exitCode()).isEqualTo(3);
        assertThat(unknown.err()).contains("No attempt is known for memcached/carts in namespace shop");
        assertThat(noName.exitCode()).isEqualTo(2);
    }

    @Test
    void givenLedgersOnKafka_whenWorkIsListed_thenWhatWaitsIsThereWithItsReason() throws Exception {
        run("l.", "topics", "apply");
        CommandRun noWorker = run("l.", "work");
        String changelog = "l.memcached-operator-work-changelog";
        try (Admin admin =
                Admin.create(KafkaSettings.at(kafka.bootstrapServers()).with(Map.of()))) {
            admin.createTopics(List.of(new NewTopic(changelog, 2, (short) 1)))
                    .all()
                    .get();
        }
        ledger(
                changelog,
                SESSIONS,
                new KeyState.Waiting(
                        KeyState.Kind.RETRY,
                        Instant.parse("2026-11-30T09:21:00Z"),
                        Instant.parse("2026-11-30T09:19:00Z"),
                        "refused"));
        ledger(
                changelog,
                CARTS,
                new KeyState.Pending(
                        Lane.URGENT,
                        List.of(new Cause(
                                "PRIMARY_CHANGED", Optional.empty(), "spec", Instant.parse("2026-11-30T09:19:30Z")))));
        ledger(changelog, new ObjectKey("eu-2", "cache.example.com", "Memcached", "shop", "idle"), new KeyState.Idle());
        run("l.", "pause", "--object", CARTS.toString(), "--reason", "migration");

        CommandRun work = run("l.", "work");
        CommandRun retries = run("l.", "work", "--state", "retry", "-o", "json");

        assertThat(noWorker.exitCode()).isEqualTo(3);
        assertThat(noWorker.err()).contains("No worker has ever run");
        assertThat(work.out().lines().map(line -> line.replaceAll("  +", "|")))
                .containsExactly(
                        "2 keys: 1 paused, 1 retry",
                        "",
                        "CONTROLLER|CLUSTER|OBJECT|STATE|SINCE|DUE|FAILED|REASON",
                        "memcached-operator|local|Memcached shop/carts|paused|30 s|0|migration (by "
                                + System.getProperty("user.name") + "); urgent: primary changed spec",
                        "memcached-operator|local|Memcached default/sessions|retry|60 s|in 60 s|0|refused");
        assertThat(retries.out().lines())
                .singleElement()
                .asString()
                .contains("\"state\":\"retry\"")
                .contains("default/sessions");
    }

    private static void ledger(String topic, ObjectKey primary, KeyState state) throws Exception {
        byte[] text =
                new ControllerKey("memcached-operator", primary).toString().getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[text.length + 1];
        key[0] = LedgerChangelog.ENTRY;
        System.arraycopy(text, 0, key, 1, text.length);
        var entry = new LedgerEntry(
                new Primary.Present(new Sighting("uid", "11", 1, false, 1)),
                Positions.NONE,
                state,
                Failures.NONE,
                List.of(),
                List.of(),
                false);
        try (var producer = producer()) {
            producer.send(new ProducerRecord<>(topic, key, LedgerFormat.write(entry)))
                    .get();
        }
    }

    private static void sendEvent(String topic, ObjectKey key, ChangeEvent event) throws Exception {
        try (var producer = producer()) {
            var record = new ProducerRecord<>(
                    topic,
                    Partitioner.partition(key, PARTITIONS),
                    1_000L,
                    key.toString().getBytes(StandardCharsets.UTF_8),
                    Json.write(event));
            record.headers().add(CloudEventHeaders.ID, event.id().getBytes(StandardCharsets.UTF_8));
            producer.send(record).get();
        }
    }

    @Test
    void givenNoStatus_whenShown_thenItIsSaidAndTheExitCodeTells() {
        run("h.", "topics", "apply");

        CommandRun run = run("h.", "status", "--cluster", "eu-1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().strip())
                .isEqualTo("No shard of cluster eu-1 has a status: no watcher has watched it yet.");
    }

    @Test
    void givenShardsInEveryState_whenShown_thenTheWorstComeFirstAndTheExitCodeTells() throws Exception {
        run("i.", "topics", "apply");
        report("i.", status("eu-1", "", "pods", ShardState.LIVE, "09:19:55", 12, Optional.empty()));
        report("i.", status("eu-1", "apps", "deployments", ShardState.SYNCING, "09:19:55", 0, Optional.empty()));
        report("i.", status("eu-2", "", "secrets", ShardState.FORBIDDEN, "09:19:55", 0, Optional.of("Grant it.")));
        report("i.", status("eu-2", "", "nodes", ShardState.LIVE, "09:19:55", 0, Optional.empty()));
        report("i.", status("eu-2", "", "nodes", ShardState.UNREACHABLE, "09:19:56", 2_500, Optional.of("no\nroute")));
        report("i.", status("eu-2", "x.io", "gadgets", ShardState.GONE, "09:19:55", 0, Optional.of("not there")));
        report("i.", status("eu-3", "", "services", ShardState.LIVE, "09:19:29", 0, Optional.empty()));
        report("i.", status("eu-4", "", "pods", ShardState.LIVE, "09:19:55", 0, Optional.empty()));
        tombstone("i.watch-status", 0, "eu-4/core/pods");

        CommandRun run = run("i.", "status");
        CommandRun ofOne = run("i.", "status", "--cluster=eu-1", "--state=live", "-o", "wide");
        CommandRun json = run("i.", "status", "--state=forbidden", "--state=stale", "-o", "json");
        CommandRun yaml = run("i.", "status", "--state=forbidden", "-o", "yaml");

        assertThat(run.out().lines())
                .containsExactly(
                        "6 shards of 3 clusters: 1 STALE, 1 UNREACHABLE, 1 FORBIDDEN, 1 SYNCING, 1 GONE, 1 LIVE",
                        "",
                        "CLUSTER  RESOURCE          STATE        SINCE   LAG    LAST EVENT  ERROR",
                        "eu-3     services          STALE        31 s    -      3 min ago   was LIVE; no report since"
                                + " then from me, and no other watcher took over",
                        "eu-2     nodes             UNREACHABLE  20 min  2 s    3 min ago   no route",
                        "eu-2     secrets           FORBIDDEN    20 min  0 ms   3 min ago   Grant it.",
                        "eu-1     deployments.apps  SYNCING      20 min  0 ms   3 min ago",
                        "eu-2     gadgets.x.io      GONE         20 min  0 ms   3 min ago   not there",
                        "eu-1     pods              LIVE         20 min  12 ms  3 min ago");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(ofOne.out())
                .startsWith("2 shards of 1 cluster: 1 SYNCING, 1 LIVE")
                .contains("2026-11-30 09:00:00", "2026-11-30 09:16:02", "2026-11-30 09:19:55", "OWNER", "me")
                .doesNotContain("deployments");
        assertThat(ofOne.exitCode())
                .as("one of the cluster's shards still syncs")
                .isEqualTo(1);
        assertThat(json.out().lines())
                .hasSize(2)
                .first()
                .satisfies(line -> assertThat(
                                Json.mapper().readTree(line).path("stale").asBoolean())
                        .isTrue())
                .satisfies(line -> assertThat(Json.read(line.getBytes(StandardCharsets.UTF_8), WatchStatus.class)
                                .key())
                        .isEqualTo(new ShardKey("eu-3", "", "services")));
        assertThat(yaml.out())
                .startsWith("---")
                .contains("cluster: eu-2", "resource: secrets", "state: FORBIDDEN", "stale: false");
    }

    @Test
    void givenLiveAndGoneShards_whenShown_thenTheExitCodeIsZeroUntilAReportCannotBeRead() throws Exception {
        run("j.", "topics", "apply");
        report("j.", status("eu-1", "", "pods", ShardState.LIVE, "09:19:31", 0, Optional.empty()));
        report("j.", status("eu-1", "x.io", "gadgets", ShardState.GONE, "09:19:31", 0, Optional.of("not there")));

        assertThat(run("j.", "status").exitCode()).isZero();

        try (var producer = producer()) {
            producer.send(new ProducerRecord<>("j.watch-status", 0, new byte[] {'k'}, new byte[] {'{'}))
                    .get();
        }
        CommandRun run = run("j.", "status");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("the status of k can't be read");
    }

    @Test
    void givenTopicThatDoesNotExist_whenRead_thenCommandToCreateItIsNamed() {
        CommandRun run = run("f.", "events");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("f.events does not exist").contains("evenkeel topics apply");
    }

    private static CommandRun run(String prefix, String... command) {
        return CommandRun.of(environment(), arguments(prefix, command));
    }

    private static Map<String, String> environment() {
        return Map.of("XDG_DATA_HOME", folder.toString());
    }

    private static String[] arguments(String prefix, String... command) {
        var all = new ArrayList<>(Arrays.asList(command));
        all.addAll(List.of(
                "--bootstrap-servers",
                kafka.bootstrapServers(),
                "--set=topics.prefix=" + prefix,
                "--set=topics.replication-factor=1",
                "--set=topics.min-insync-replicas=1"));
        if (!all.contains("topics.partitions=5")) {
            all.add("--set=topics.partitions=" + PARTITIONS);
        }
        return all.toArray(String[]::new);
    }

    private static ChangeEvent event(ObjectKey key, long version, ChangeType type) {
        return event(key, version, type, List.of());
    }

    private static ChangeEvent event(ObjectKey key, long version, ChangeType type, List<Actor> actors) {
        return new ChangeEvent(
                key.cluster(),
                1,
                key.group(),
                "v1alpha1",
                key.kind(),
                key.namespace(),
                key.name(),
                "uid",
                Long.toString(version),
                Optional.of(1L),
                type,
                Origin.WATCH,
                type == ChangeType.DELETED ? List.of() : List.of("spec"),
                true,
                Instant.parse("2026-11-30T09:14:02Z").plusMillis(version),
                actors,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static void park(String prefix, ObjectKey primary, String at) throws Exception {
        var letter = new DeadLetter(
                "memcached-operator",
                primary.toString(),
                DeadLetter.Reason.OUT_OF_ATTEMPTS,
                5,
                new Failure("java.net.ConnectException", "refused", "at Example.java:1"),
                List.of(new DeadLetter.FailedAttempt("a1", Instant.parse(at), "java.net.ConnectException", "refused")),
                "uid",
                "812",
                Optional.of(2L),
                Instant.parse(at),
                Instant.parse(at));
        send(prefix + "dead-letters", letter.key().toString(), primary, letter, 1_000);
    }

    private static void tombstone(String prefix, ObjectKey primary) throws Exception {
        String key = new ControllerKey("memcached-operator", primary).toString();
        tombstone(prefix + "dead-letters", Partitioner.partition(primary, PARTITIONS), key);
    }

    private static void tombstone(String topic, int partition, String key) throws Exception {
        try (var producer = producer()) {
            producer.send(new ProducerRecord<>(topic, partition, key.getBytes(StandardCharsets.UTF_8), null))
                    .get();
        }
    }

    /** A status as of a time on the day of the tests. */
    private static WatchStatus status(
            String cluster,
            String group,
            String resource,
            ShardState state,
            String reportedAt,
            long lagMillis,
            Optional<String> error) {
        return new WatchStatus(
                cluster,
                group,
                resource,
                state,
                Instant.parse("2026-11-30T09:00:00Z"),
                lagMillis,
                Optional.of(Instant.parse("2026-11-30T09:16:02Z")),
                Optional.empty(),
                error,
                "me",
                Instant.parse("2026-11-30T" + reportedAt + "Z"),
                10_000);
    }

    private static void report(String prefix, WatchStatus status) throws Exception {
        try (var producer = producer()) {
            producer.send(new ProducerRecord<>(
                            prefix + "watch-status",
                            0,
                            status.key().toString().getBytes(StandardCharsets.UTF_8),
                            Json.write(status)))
                    .get();
        }
    }

    private static void send(String topic, String key, ObjectKey place, Object value, long millis)
            throws ExecutionException, InterruptedException {
        try (var producer = producer()) {
            producer.send(new ProducerRecord<>(
                            topic,
                            Partitioner.partition(place, PARTITIONS),
                            millis,
                            key.getBytes(StandardCharsets.UTF_8),
                            Json.write(value)))
                    .get();
        }
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static List<ReconcileRequest> requests(String prefix) {
        return requests(prefix, (partition, request) -> request);
    }

    private static List<String> requestsByPartition(String prefix) {
        return requests(prefix, (partition, request) -> partition + " " + request.primary());
    }

    private static <T> List<T> requests(String prefix, BiFunction<Integer, ReconcileRequest, T> as) {
        var requests = new ArrayList<T>();
        try (var reader = new TopicReader(KafkaSettings.at(kafka.bootstrapServers()), prefix + "requests")) {
            reader.read(
                    new From.Beginning(),
                    false,
                    record -> requests.add(
                            as.apply(record.partition(), Json.read(record.value(), ReconcileRequest.class))),
                    () -> true);
        }
        return requests;
    }
}
