package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Topics;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.evenkeel.worker.harness.WorkerSetting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server does what it is asked, and the answer is lost. */
class LostAnswerIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void givenLostAnswersToWrites_whenTheAttemptIsMadeAgain_thenTheEndIsTheSameAndTheCalmEndWritesNothing(
            @TempDir Path folder) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start();
                WidgetCluster cluster = WidgetCluster.start()) {
            Kubeconfig config = Kubeconfig.read(Files.writeString(folder.resolve("direct"), cluster.kubeconfig()));
            String context = config.currentContext();
            try (FaultProxy proxy = FaultProxy.before(config.upstream(context))
                    .rules(
                            Rule.named("child")
                                    .verbs(Verb.PATCH)
                                    .resources("configmaps")
                                    .times(1)
                                    .then(new Fault.LoseAnswer()),
                            Rule.named("status")
                                    .verbs(Verb.PATCH)
                                    .resources("widgets.test.evenkeel.io/status")
                                    .times(1)
                                    .then(new Fault.LoseAnswer()))
                    .start()) {
                Path kubeconfig = Files.writeString(
                        folder.resolve("through"),
                        config.through(Map.of(context, new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem()))));
                WorkerSetting topics = WorkerSetting.on(broker.bootstrapServers(), "lost.", 1, folder);
                WorkerSetting setting =
                        WorkerSetting.of(broker.bootstrapServers(), topics.layout(), folder, kubeconfig);
                Widget widget = cluster.create("a");
                try (var log = new ObjectLog(setting.kafka(), setting.layout());
                        WorkerProcess process = worker().start(setting.config())) {
                    log.put(widget, cluster.json(widget)).get();
                    // The status was there already when it was written again, so the key runs once more.
                    await().atMost(SOON).until(() -> done(setting) >= 2);
                    assertThat(proxy.happened("child")).isEqualTo(1);
                    assertThat(proxy.happened("status")).isEqualTo(1);
                    assertThat(outcomes(setting)).hasSizeGreaterThan(2);
                    ConfigMap child = cluster.configMap("of-a").orElseThrow();
                    assertThat(child.getMetadata().getOwnerReferences()).hasSize(1);
                    assertThat(cluster.widgets().withName("a").get().getStatus().note())
                            .isEqualTo("fine");

                    long before = done(setting);
                    Widget touched = cluster.label("a", "touched", "yes");
                    log.put(touched, cluster.json(touched)).get();
                    await().atMost(SOON).until(() -> done(setting) > before);
                    assertThat(outcomes(setting).getLast().writes())
                            .as("writes in the calm end")
                            .isEmpty();
                    assertThat(cluster.configMap("of-a")).contains(child);
                    assertThat(process.deadBecause()).isEmpty();
                }
            }
        }
    }

    private static Worker worker() {
        return Worker.named("widgets")
                .reconcile(Widget.class)
                .owning(ConfigMap.class)
                .with((widget, context) -> {
                    context.apply(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("of-" + widget.getMetadata().getName())
                            .endMetadata()
                            .addToData("value", "a")
                            .build());
                    return Outcome.done()
                            .withStatus(new Widget.Status(widget.getMetadata().getGeneration(), "fine"));
                });
    }

    private static long done(WorkerSetting setting) {
        return outcomes(setting).stream()
                .filter(outcome -> outcome.result() == Result.DONE)
                .count();
    }

    private static List<AttemptOutcome> outcomes(WorkerSetting setting) {
        return Topics.values(setting, Topic.OUTCOMES, AttemptOutcome.class);
    }
}
