package io.evenkeel.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Failure;
import io.evenkeel.api.record.Write;
import io.evenkeel.reconciler.Cleanup;
import io.evenkeel.reconciler.ConflictPolicy;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.EventType;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Reconciler;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.reconciler.WriteRefusedException;
import io.evenkeel.worker.harness.InReach;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.evenkeel.worker.ledger.Applied;
import io.evenkeel.worker.ledger.Sighting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One attempt after another, on a simulated API server. */
class AttemptRunnerTest {
    private static final String OURS = "evenkeel.io/widgets";
    private static final String THEIRS = "example.com/theirs";
    private static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");
    private static final WriteGate OPEN = new WriteGate(() -> true);
    private static WidgetCluster cluster;

    private final List<String> seen = new ArrayList<>();

    @BeforeAll
    static void startCluster() {
        cluster = WidgetCluster.start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void givenCleanup_whenReconciledFirst_thenTheFinalizerIsThereBeforeTheHandlerRuns() {
        Widget widget = cluster.create("first", THEIRS);

        AttemptResult result = run(new Cleaning(Outcome.done()), widget);

        assertThat(seen).containsExactly("reconcile with " + List.of(THEIRS, OURS));
        Widget after = newest(widget);
        assertThat(after.getMetadata().getFinalizers()).containsExactly(THEIRS, OURS);
        assertThat(result.outcome().result()).isEqualTo(Result.DONE);
        assertThat(versions(result)).containsExactly(version(after));
        assertThat(result.behind()).isFalse();
        assertThat(run(new Cleaning(Outcome.done()), after).outcome().writes())
                .as("writes once it is there")
                .isEmpty();
    }

    @Test
    void givenNoCleanup_whenReconciled_thenThereIsNoFinalizer() {
        Widget widget = cluster.create("plain");

        assertThat(run((primary, context) -> Outcome.done(), widget).outcome().writes())
                .isEmpty();
    }

    @Test
    void givenDeletion_whenCleanupIsDone_thenOnlyOurFinalizerGoes() {
        Widget widget = deleting("cleaned", THEIRS, OURS);

        AttemptResult result = run(new Cleaning(Outcome.done()), widget);

        assertThat(seen).containsExactly("cleanup");
        assertThat(newest(widget).getMetadata().getFinalizers()).containsExactly(THEIRS);
        assertThat(result.outcome().result()).isEqualTo(Result.DONE);
        assertThat(versions(result)).containsExactly(version(newest(widget)));
    }

    @Test
    void givenDeletion_whenCleanupIsNotDone_thenThePrimaryStays() {
        Widget widget = deleting("waiting", OURS);

        assertThat(run(new Cleaning(Outcome.waiting("for the backup")), widget)
                        .outcome()
                        .result())
                .isEqualTo(Result.WAITING);
        assertThat(run(new Cleaning(Outcome.retry("not yet")), widget).outcome().result())
                .isEqualTo(Result.FAILED);

        assertThat(newest(widget).getMetadata().getFinalizers()).containsExactly(OURS);
    }

    @Test
    void givenDeletionThatWasCleanedUp_whenSeenAgain_thenNoHandlerRuns() {
        Widget widget = deleting("over", THEIRS);

        assertThat(run(new Cleaning(Outcome.done()), widget).outcome().result()).isEqualTo(Result.DONE);

        assertThat(seen).isEmpty();
    }

    @Test
    void givenStatus_whenItIsTheSameAgain_thenNothingIsSent() {
        Widget widget = cluster.create("calm");
        Reconciler<Widget> handler =
                (primary, context) -> Outcome.done().withStatus(new Widget.Status(generation(primary), "fine"));

        AttemptResult first = run(handler, widget);
        AttemptResult second = run(handler, newest(widget));

        assertThat(newest(widget).getStatus()).isEqualTo(new Widget.Status(1, "fine"));
        assertThat(versions(first)).containsExactly(version(newest(widget)));
        assertThat(second.outcome().writes()).isEmpty();
    }

    @Test
    void givenPrimaryThatChangesMeanwhile_whenStatusIsWritten_thenItIsMadeAnewForTheNewestStateAndTheKeyRunsAgain() {
        Widget widget = cluster.create("contested");

        AttemptResult result = run(
                (primary, context) -> {
                    cluster.widgets().withName("contested").edit(other -> {
                        other.setSpec(new Widget.Spec(7));
                        other.getMetadata().setLabels(Map.of("by", "another"));
                        return other;
                    });
                    return Outcome.done().withStatus(new Widget.Status(generation(primary), "fine"));
                },
                widget);

        Widget after = newest(widget);
        assertThat(after.getStatus()).isEqualTo(new Widget.Status(1, "fine"));
        assertThat(after.getSpec().size()).isEqualTo(7);
        assertThat(after.getMetadata().getLabels()).containsEntry("by", "another");
        assertThat(result.behind()).as("it met a newer state").isTrue();
        assertThat(versions(result)).containsExactly(version(after));
    }

    @Test
    void givenPrimaryThatIsReplacedMeanwhile_whenStatusIsWritten_thenTheNewLifeIsLeftAlone() {
        Widget widget = cluster.create("reborn");

        AttemptResult result = run(
                (primary, context) -> {
                    cluster.widgets().withName("reborn").delete();
                    cluster.create("reborn");
                    return Outcome.done().withStatus(new Widget.Status(1, "of the former life"));
                },
                widget);

        assertThat(newest(widget).getStatus()).isNull();
        assertThat(result.outcome().result()).isEqualTo(Result.DONE);
        assertThat(result.outcome().writes()).isEmpty();
    }

    @Test
    void givenAnOwnWrite_whenReadInTheSameAttempt_thenItIsThere() {
        Widget widget = cluster.create("reader");

        AttemptResult result = run(
                (primary, context) -> {
                    context.apply(child("of-reader", "a"));
                    note(context);
                    context.apply(child("of-reader", "b"));
                    note(context);
                    context.delete(child("of-reader", "b"));
                    note(context);
                    return Outcome.done();
                },
                widget);

        assertThat(seen).containsExactly("[of-reader=a]", "[of-reader=b]", "[]");
        assertThat(result.outcome().writes()).extracting(Write::verb).containsExactly("apply", "apply", "delete");
        assertThat(cluster.configMap("of-reader")).isEmpty();
    }

    @Test
    void givenAppliedChild_whenTheNextAttemptAppliesTheSame_thenNothingIsSent() {
        Widget widget = cluster.create("idempotent");
        Reconciler<Widget> handler = (primary, context) -> {
            context.apply(child("of-idempotent", "a"));
            return Outcome.done();
        };
        AttemptResult first = run(handler, widget);
        Write write = first.outcome().writes().getFirst();
        var applied = new Applied(write.key(), write.uid().orElseThrow(), write.hash());
        ConfigMap child = cluster.configMap("of-idempotent").orElseThrow();

        AttemptResult same = run(handler, snapshot(widget, List.of(local(child)), Set.of(), List.of(applied)), OPEN);
        ConfigMap changed =
                new ConfigMapBuilder(child).addToData("value", "by another").build();
        AttemptResult mended =
                run(handler, snapshot(widget, List.of(local(changed)), Set.of(), List.of(applied)), OPEN);

        assertThat(child.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsExactly(widget.getMetadata().getUid());
        assertThat(same.outcome().writes()).as("an equal intent").isEmpty();
        assertThat(mended.outcome().writes())
                .as("what somebody changed is mended")
                .hasSize(1);
    }

    @Test
    void givenOwnWritesThatAreNotAtHand_whenTheHandlerBegins_thenTheyWereReadFromTheServer() {
        Widget widget = cluster.create("stale");
        ConfigMap child = owned("of-stale", widget);
        cluster.resize("stale", 5);
        Set<String> stale = Set.of(
                keyOf(widget).toString(), local(child).key(), local(child).key() + "-gone");

        run(
                (primary, context) -> {
                    seen.add("size " + primary.getSpec().size());
                    note(context);
                    return Outcome.done();
                },
                snapshot(widget, List.of(gone(child)), stale, List.of()),
                OPEN);

        assertThat(seen).containsExactly("size 5", "[of-stale=a]");
    }

    @Test
    void givenWritesAreRefused_whenTheHandlerWrites_thenNothingReachesTheServerAndItCountsAsInterrupted() {
        var closed = new WriteGate(() -> true);
        closed.close();
        var unproven = new WriteGate(() -> false);
        for (WriteGate gate : List.of(closed, unproven)) {
            Widget widget = cluster.create("refused-" + (gate == closed));
            Widget deleting = deleting("refused-cleanup-" + (gate == closed), OURS);
            ConfigMap child = owned("of-refused-" + (gate == closed), widget);
            List<AttemptResult> results = List.of(
                    run(
                            (primary, context) -> {
                                context.apply(child(child.getMetadata().getName(), "b"));
                                return Outcome.done();
                            },
                            snapshot(widget),
                            gate),
                    run(
                            (primary, context) -> {
                                context.delete(child);
                                return Outcome.done();
                            },
                            snapshot(widget),
                            gate),
                    run(
                            (primary, context) -> Outcome.done().withStatus(new Widget.Status(1, "refused")),
                            snapshot(widget),
                            gate),
                    run(new Cleaning(Outcome.done()), snapshot(widget), gate),
                    run(new Cleaning(Outcome.done()), snapshot(deleting), gate));

            assertThat(results).allSatisfy(result -> {
                assertThat(result.outcome().result()).isEqualTo(Result.INTERRUPTED);
                assertThat(result.outcome().writes()).isEmpty();
            });
            assertThat(version(newest(widget))).isEqualTo(version(widget));
            assertThat(version(newest(deleting))).isEqualTo(version(deleting));
            assertThat(cluster.configMap(child.getMetadata().getName())).contains(child);
        }
    }

    @Test
    void givenAHandlerThatSwallowsTheRefusal_whenItEnds_thenItsWorkDoesNotCountAsDone() {
        AttemptResult result = run(
                (primary, context) -> {
                    try {
                        context.apply(child("swallowed", "a"));
                    } catch (WriteRefusedException e) {
                        seen.add(String.valueOf(e.getMessage()));
                    }
                    return Outcome.done();
                },
                snapshot(cluster.create("swallowing")),
                new WriteGate(() -> false));

        assertThat(seen).containsExactly("this worker cannot prove that it still holds the object");
        assertThat(result.outcome().result()).isEqualTo(Result.INTERRUPTED);
        assertThat(cluster.configMap("swallowed")).isEmpty();
    }

    @Test
    void givenARunningHandler_whenTheAttemptIsCancelled_thenItIsInterruptedAndDoesNotCountAsFailed() throws Exception {
        var begun = new CountDownLatch(1);
        var attempt = new Attempt("attempt", key(cluster.create("long")), OPEN, snapshot(newest("long")));
        var results = new ArrayList<AttemptResult>();
        Thread handler = Thread.ofVirtual()
                .start(() -> results.add(runner((primary, context) -> {
                            begun.countDown();
                            new CountDownLatch(1).await(); // for ever
                            return Outcome.done();
                        })
                        .run(attempt)));
        begun.await();

        attempt.cancel();
        handler.join();

        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.outcome().result()).isEqualTo(Result.INTERRUPTED);
            assertThat(result.outcome().due()).isEmpty();
        });
    }

    @Test
    void givenAHandlerThatTakesTooLong_whenItsAttemptExpires_thenItCannotWriteAndHasFailedHoweverItEnds()
            throws Exception {
        for (boolean swallows : List.of(true, false)) {
            String name = "slow-" + swallows;
            var begun = new CountDownLatch(1);
            var attempt = new Attempt("attempt", key(cluster.create(name)), OPEN, snapshot(newest(name)));
            var results = new ArrayList<AttemptResult>();
            Thread handler = Thread.ofVirtual()
                    .start(() -> results.add(runner((primary, context) -> {
                                context.apply(child("before-" + name, "a"));
                                begun.countDown();
                                try {
                                    new CountDownLatch(1).await(); // for ever
                                } catch (InterruptedException e) {
                                    if (!swallows) {
                                        throw e;
                                    }
                                }
                                try {
                                    context.apply(child("after-" + name, "a"));
                                } catch (WriteRefusedException e) {
                                    seen.add(String.valueOf(e.getMessage()));
                                }
                                return Outcome.done();
                            })
                            .run(attempt)));
            assertThat(begun.await(30, TimeUnit.SECONDS)).as(results.toString()).isTrue();

            attempt.expire(NOW.plusSeconds(300), Duration.ofMinutes(5));
            assertThat(attempt.expiry()).as("not before its time").isEmpty();
            attempt.expire(NOW.plusSeconds(301), Duration.ofMinutes(5));
            handler.join();

            assertThat(results).singleElement().satisfies(result -> {
                assertThat(result.outcome().result()).isEqualTo(Result.FAILED);
                assertThat(result.outcome().due()).isPresent();
                assertThat(result.outcome().writes()).hasSize(1);
                Failure failure = result.outcome().failure().orElseThrow();
                assertThat(failure.type()).isEqualTo(Decision.TIMEOUT);
                assertThat(failure.message()).isEqualTo("the handler took longer than 300 s");
                assertThat(failure.stackTrace()).contains("AttemptRunnerTest");
            });
            assertThat(cluster.configMap("after-" + name)).isEmpty();
        }
        assertThat(seen).containsExactly("the attempt took longer than its timeout");
    }

    @Test
    void givenEachKindOfWrite_whenTheHandlerMakesIt_thenItIsOnTheServerRecordedAndReadLocally() {
        Widget widget = cluster.create("writes");

        AttemptResult result = run(
                (primary, context) -> {
                    ConfigMap created = context.create(child("of-writes", "a"));
                    assertThat(created.getMetadata().getOwnerReferences()).hasSize(1);
                    assertThat(context.update(created)).as("no difference").isEqualTo(created);
                    ConfigMap updated = context.update(new ConfigMapBuilder(created)
                            .addToData("value", "b")
                            .build());
                    note(context);
                    context.patch(updated, "{\"data\":{\"value\":\"b\"}}"); // says nothing new
                    ConfigMap patched = context.patch(updated, "{\"data\":{\"value\":\"c\",\"other\":\"x\"}}");
                    note(context);
                    assertThat(refusal(() -> context.update(updated))).isEqualTo(409);
                    assertThat(refusal(() -> context.create(child("of-writes", "z"))))
                            .isEqualTo(409);
                    assertThat(refusal(() -> context.deleteUnchanged(updated))).isEqualTo(409);
                    assertThat(context.deleteUnchanged(patched)).isTrue();
                    note(context);
                    return Outcome.done();
                },
                widget);

        assertThat(result.outcome().failure()).isEmpty();
        assertThat(seen).containsExactly("[of-writes=b]", "[of-writes=c]", "[]");
        assertThat(result.outcome().writes())
                .extracting(Write::verb)
                .containsExactly("create", "update", "patch", "delete");
        assertThat(result.outcome().writes().subList(0, 3)).allSatisfy(write -> {
            assertThat(write.uid()).isPresent();
            assertThat(write.resourceVersion()).isPresent();
            assertThat(write.hash()).isNotEmpty();
        });
        assertThat(cluster.configMap("of-writes")).isEmpty();
    }

    @Test
    void givenAFieldOfAnotherManager_whenAppliedWithoutForce_thenTheConflictNamesItAndWithForceItIsTaken() {
        Widget widget = cluster.create("forced");
        owned("of-forced", widget);
        Controller<Widget> other = controller(
                Worker.named("others").reconcile(Widget.class).owning(ConfigMap.class), (primary, context) -> {
                    assertThat(refusal(() -> context.apply(child("of-forced", "theirs"), ConflictPolicy.FAIL)))
                            .isEqualTo(409);
                    context.apply(child("of-forced", "theirs"));
                    return Outcome.done();
                });
        AttemptOutcome outcome = run(other, snapshot(widget), OPEN).outcome();
        assertThat(outcome.failure()).isEmpty();
        assertThat(cluster.configMap("of-forced").orElseThrow().getData()).containsEntry("value", "theirs");
    }

    @Test
    void givenEvents_whenTheSameIsToldAgain_thenItsSeriesCountsUpAndOthersAreTheirOwn() {
        Widget widget = cluster.create("told");
        Reconciler<Widget> telling = (primary, context) -> {
            context.event(EventType.WARNING, "ImageMissing", "no such image");
            context.event(EventType.NORMAL, "Scaled", "to 3");
            return Outcome.done();
        };
        run(telling, widget);
        run(telling, widget);
        AttemptResult last = run(
                (primary, context) -> {
                    context.event(EventType.WARNING, "ImageMissing", "no such image");
                    return Outcome.done();
                },
                widget);

        assertThat(last.outcome().writes()).singleElement().satisfies(write -> {
            assertThat(write.verb()).isEqualTo("patch");
            assertThat(write.key()).startsWith("local/events.k8s.io/Event/default/told.");
            assertThat(write.resourceVersion()).isPresent();
        });
        assertThat(cluster.events("told"))
                .hasSize(2)
                .anySatisfy(event -> {
                    assertThat(event.getReason()).isEqualTo("ImageMissing");
                    assertThat(event.getType()).isEqualTo("Warning");
                    assertThat(event.getSeries().getCount()).isEqualTo(3);
                    assertThat(event.getRegarding().getUid())
                            .isEqualTo(widget.getMetadata().getUid());
                })
                .anySatisfy(event -> {
                    assertThat(event.getReason()).isEqualTo("Scaled");
                    assertThat(event.getSeries().getCount()).isEqualTo(2);
                });
    }

    /** What the handler was never shown it cannot have meant to remove. */
    @Test
    void givenFieldsThatTheClassDoesNotKnow_whenUpdated_thenTheyStay() {
        cluster.create("rich");
        cluster.merge("rich", "{\"spec\":{\"colour\":\"red\"}}");
        Widget widget = newest("rich");
        for (Set<String> stale : List.of(Set.of(keyOf(widget).toString()), Set.<String>of())) {
            AttemptResult result = run(
                    (primary, context) -> {
                        primary.setSpec(new Widget.Spec(primary.getSpec().size() + 1));
                        context.update(primary);
                        return Outcome.done();
                    },
                    new Snapshot(
                            sighting(newest("rich")),
                            local(cluster.generic("rich")),
                            List.of(),
                            stale,
                            List.of(),
                            1,
                            List.of()),
                    OPEN);
            assertThat(result.outcome().failure()).isEmpty();
            assertThat(cluster.generic("rich").<String>get("spec", "colour")).isEqualTo("red");
        }
        assertThat(newest("rich").getSpec().size()).isEqualTo(3);
    }

    @Test
    void givenAChildWithAFinalizer_whenDeleted_thenLocalReadsShowItUntilItIsGone() {
        Widget widget = cluster.create("patient");
        ConfigMap child = cluster.create(ownedBy(
                widget,
                new ConfigMapBuilder(child("of-patient", "a"))
                        .editMetadata()
                        .withNamespace("default")
                        .withFinalizers("example.com/backup")
                        .endMetadata()
                        .build()));

        AttemptResult result = run(
                (primary, context) -> {
                    seen.add("deleted " + context.delete(child));
                    seen.add("deleting "
                            + context.secondaries(ConfigMap.class).stream()
                                    .map(ConfigMap::isMarkedForDeletion)
                                    .toList());
                    seen.add("again " + context.delete(child));
                    return Outcome.done();
                },
                snapshot(widget, List.of(local(child)), Set.of(), List.of()),
                OPEN);

        assertThat(seen).containsExactly("deleted true", "deleting [true]", "again true");
        assertThat(result.outcome().writes()).extracting(Write::verb).containsExactly("delete", "delete");
        cluster.merge(child, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(cluster.configMap("of-patient")).isEmpty();
    }

    @Test
    void givenACreatedObject_whenItsFieldsAreLookedAt_thenTheyBelongToTheController() {
        run(
                (primary, context) -> {
                    context.create(child("of-creator", "a"));
                    return Outcome.done();
                },
                cluster.create("creator"));

        assertThat(cluster.configMap("of-creator").orElseThrow().getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getManager)
                .containsExactly("widgets");
    }

    @Test
    void givenAKindWithoutAClass_whenReconciled_thenItIsReadAndWrittenAsItsTypeSays() {
        var widgets = new ResourceType("test.evenkeel.io", "v1", "Widget", "widgets", true);
        var maps = new ResourceType("", "v1", "ConfigMap", "configmaps", true);
        Widget widget = cluster.create("generic");
        var controller = Worker.named("widgets").reconcile(widgets).owning(maps).with((primary, context) -> {
            GenericKubernetesResource child = new GenericKubernetesResource();
            child.setApiVersion("v1");
            child.setKind("ConfigMap");
            child.setMetadata(new ObjectMetaBuilder().withName("of-generic").build());
            child.setAdditionalProperty("data", Map.of("value", String.valueOf(primary.<Integer>get("spec", "size"))));
            context.apply(child);
            seen.add(context.secondaries(maps).stream()
                    .map(map -> map.<String>get("data", "value"))
                    .toList()
                    .toString());
            seen.add("read " + context.read(maps, "default", "of-generic").isPresent());
            return Outcome.done().withStatus(Map.of("note", "fine"));
        });

        AttemptOutcome outcome = genericRunner(controller)
                .run(new Attempt("attempt", key(widget), OPEN, snapshot(widget)))
                .outcome();

        assertThat(outcome.failure()).isEmpty();
        assertThat(seen).containsExactly("[1]", "read true");
        assertThat(cluster.configMap("of-generic").orElseThrow().getData()).containsEntry("value", "1");
        assertThat(newest(widget).getStatus().note()).isEqualTo("fine");
    }

    private static AttemptRunner<?> genericRunner(Worker worker) {
        return new AttemptRunner<>(
                worker.controllers().getFirst(),
                InReach.each(cluster.api()),
                "worker",
                Clock.fixed(NOW, ZoneOffset.UTC),
                new SplittableRandom(1));
    }

    private static ConfigMap ownedBy(Widget widget, ConfigMap child) {
        return new ConfigMapBuilder(child)
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("test.evenkeel.io/v1")
                .withKind("Widget")
                .withName(widget.getMetadata().getName())
                .withUid(widget.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    private static int refusal(Runnable write) {
        try {
            write.run();
            return 0;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }

    @Test
    void givenErrorsOfEachClass_whenTheHandlerThrowsThem_thenTheyEndTheAttemptAsTheirClassSays() {
        Widget widget = cluster.create("classes");
        AttemptOutcome terminal = failing(widget, answer(422, 0));
        assertThat(terminal.result()).isEqualTo(Result.FAILED_FOR_GOOD);
        assertThat(terminal.due()).isEmpty();

        AttemptOutcome throttled = failing(widget, new IllegalStateException("wrapped", answer(429, 30)));
        assertThat(throttled.result()).isEqualTo(Result.DEFERRED);
        assertThat(throttled.reason()).startsWith("THROTTLED");
        assertThat(throttled.due().orElseThrow()).isBetween(NOW.plusSeconds(30), NOW.plusSeconds(31));

        AttemptOutcome silent = failing(widget, answer(-1, 0));
        assertThat(silent.result()).isEqualTo(Result.DEFERRED);
        assertThat(silent.due().orElseThrow()).isBetween(NOW.plusSeconds(1), NOW.plusSeconds(2));

        AttemptOutcome conflict = failing(widget, answer(409, 0));
        assertThat(conflict.result()).isEqualTo(Result.FAILED);
        assertThat(conflict.due()).contains(NOW.plusMillis(100));

        AttemptOutcome own = failing(widget, new IllegalStateException("broken"));
        assertThat(own.result()).isEqualTo(Result.FAILED);
        assertThat(own.due().orElseThrow()).isAfter(NOW.plusMillis(100));
    }

    @Test
    void givenATimetable_whenTheAttemptEndsWell_thenItsOutcomeSaysWhenNext() {
        Widget widget = cluster.create("timetable");
        Controller<Widget> hourly = controller(
                Worker.named("widgets").reconcile(Widget.class).resync(Duration.ofHours(1)),
                (primary, context) ->
                        primary.getSpec().size() > 0 ? Outcome.done() : Outcome.requeueAfter(Duration.ofSeconds(5)));
        AttemptOutcome done = run(hourly, snapshot(widget), OPEN).outcome();
        assertThat(done.result()).isEqualTo(Result.DONE);
        assertThat(done.due().orElseThrow()).isBetween(NOW.plusSeconds(3_240), NOW.plusSeconds(3_960));

        Controller<Widget> sooner = controller(
                Worker.named("widgets").reconcile(Widget.class).resync(Duration.ofHours(1)),
                (primary, context) -> Outcome.requeueAfter(Duration.ofSeconds(5)));
        assertThat(run(sooner, snapshot(widget), OPEN).outcome().due()).contains(NOW.plusSeconds(5));
        Controller<Widget> later = controller(
                Worker.named("widgets").reconcile(Widget.class).resync(Duration.ofHours(1)),
                (primary, context) -> Outcome.requeueAfter(Duration.ofDays(1)));
        assertThat(run(later, snapshot(widget), OPEN).outcome().due().orElseThrow())
                .isBefore(NOW.plusSeconds(3_961));
    }

    private static AttemptOutcome failing(Widget widget, RuntimeException error) {
        return run(
                        controller((primary, context) -> {
                            throw error;
                        }),
                        snapshot(widget),
                        OPEN)
                .outcome();
    }

    private static KubernetesClientException answer(int code, int retryAfterSeconds) {
        return new KubernetesClientException(
                "refused",
                code,
                new StatusBuilder()
                        .withNewDetails()
                        .withRetryAfterSeconds(retryAfterSeconds)
                        .endDetails()
                        .build());
    }

    @Test
    void givenAnObjectThatItsClassCannotHold_whenReconciled_thenItIsFailedForGoodWithoutTheHandler() {
        Widget widget = cluster.create("odd");
        String json = cluster.json(widget).replace("\"size\":1", "\"size\":\"many\"");
        var primary = new LocalObject(
                keyOf(widget).toString(),
                widget.getMetadata().getUid(),
                version(widget),
                json.getBytes(StandardCharsets.UTF_8));
        var snapshot = new Snapshot(sighting(widget), primary, List.of(), Set.of(), List.of(), 1, List.of());

        AttemptOutcome outcome = run(
                        (any, context) -> {
                            seen.add("called");
                            return Outcome.done();
                        },
                        snapshot,
                        OPEN)
                .outcome();

        assertThat(seen).isEmpty();
        assertThat(outcome.result()).isEqualTo(Result.FAILED_FOR_GOOD);
        assertThat(outcome.failure().orElseThrow().type()).isEqualTo(Decision.INVALID_OBJECT);
    }

    private AttemptResult run(Reconciler<Widget> handler, Widget widget) {
        return run(handler, snapshot(widget), OPEN);
    }

    private static AttemptResult run(Reconciler<Widget> handler, Snapshot snapshot, WriteGate gate) {
        return run(controller(handler), snapshot, gate);
    }

    private static AttemptResult run(Controller<Widget> controller, Snapshot snapshot, WriteGate gate) {
        ObjectKey primary = ObjectKey.parse(snapshot.primary().key());
        return runner(controller).run(new Attempt("attempt", new ControllerKey("widgets", primary), gate, snapshot));
    }

    private static AttemptRunner<Widget> runner(Reconciler<Widget> handler) {
        return runner(controller(handler));
    }

    private static AttemptRunner<Widget> runner(Controller<Widget> controller) {
        KubernetesApi api = cluster.api();
        return new AttemptRunner<>(
                controller, InReach.each(api), "worker", Clock.fixed(NOW, ZoneOffset.UTC), new SplittableRandom(1));
    }

    private static Controller<Widget> controller(Reconciler<Widget> handler) {
        return controller(Worker.named("widgets").reconcile(Widget.class).owning(ConfigMap.class), handler);
    }

    @SuppressWarnings("unchecked") // the one controller of this worker is for Widgets
    private static Controller<Widget> controller(Worker.Description<Widget> description, Reconciler<Widget> handler) {
        return (Controller<Widget>) description.with(handler).controllers().getFirst();
    }

    private static Snapshot snapshot(Widget widget) {
        return snapshot(widget, List.of(), Set.of(), List.of());
    }

    private static Snapshot snapshot(
            Widget widget, List<LocalObject> secondaries, Set<String> stale, List<Applied> applied) {
        return new Snapshot(sighting(widget), local(widget), secondaries, stale, applied, 1, List.of());
    }

    private static Sighting sighting(Widget widget) {
        return new Sighting(
                widget.getMetadata().getUid(), version(widget), generation(widget), widget.isMarkedForDeletion(), 1);
    }

    private static LocalObject local(HasMetadata object) {
        return new LocalObject(
                keyOf(object).toString(),
                object.getMetadata().getUid(),
                object.getMetadata().getResourceVersion(),
                cluster.json(object).getBytes(StandardCharsets.UTF_8));
    }

    /** A secondary of that kind and owner which is not on the server. */
    private static LocalObject gone(ConfigMap child) {
        return local(new ConfigMapBuilder(child)
                .editMetadata()
                .withName(child.getMetadata().getName() + "-gone")
                .endMetadata()
                .build());
    }

    private static ControllerKey key(Widget widget) {
        return new ControllerKey("widgets", keyOf(widget));
    }

    private static ObjectKey keyOf(HasMetadata object) {
        String apiVersion = object.getApiVersion();
        int slash = apiVersion.indexOf('/');
        return new ObjectKey(
                "local",
                slash < 0 ? "" : apiVersion.substring(0, slash),
                object.getKind(),
                "default",
                object.getMetadata().getName());
    }

    private static ConfigMap child(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    /** A child that is on the server. */
    private ConfigMap owned(String name, Widget owner) {
        run(
                (primary, context) -> {
                    context.apply(child(name, "a"));
                    return Outcome.done();
                },
                owner);
        return cluster.configMap(name).orElseThrow();
    }

    private static Widget deleting(String name, String... finalizers) {
        cluster.create(name, finalizers);
        cluster.widgets().withName(name).delete();
        return newest(name);
    }

    private static Widget newest(Widget widget) {
        return newest(widget.getMetadata().getName());
    }

    private static Widget newest(String name) {
        return cluster.widget(name).orElseThrow();
    }

    private static String version(HasMetadata object) {
        return object.getMetadata().getResourceVersion();
    }

    private static long generation(Widget widget) {
        return widget.getMetadata().getGeneration();
    }

    private static List<String> versions(AttemptResult result) {
        return result.outcome().writes().stream()
                .flatMap(write -> write.resourceVersion().stream())
                .toList();
    }

    private void note(Context<Widget> context) {
        seen.add(context.secondaries(ConfigMap.class).stream()
                .map(child ->
                        child.getMetadata().getName() + "=" + child.getData().get("value"))
                .toList()
                .toString());
    }

    /** Notes what is called, and cleans up as told. */
    private final class Cleaning implements Reconciler<Widget>, Cleanup<Widget> {
        private final Outcome cleanup;

        Cleaning(Outcome cleanup) {
            this.cleanup = cleanup;
        }

        @Override
        public Outcome reconcile(Widget primary, Context<Widget> context) {
            seen.add("reconcile with " + primary.getMetadata().getFinalizers());
            return Outcome.done();
        }

        @Override
        public Outcome cleanup(Widget primary, Context<Widget> context) {
            seen.add("cleanup");
            return cleanup;
        }
    }
}
