package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.json.Json;
import java.time.Duration;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Workloads that become ready. */
interface WorkloadContract extends Contract {
    Duration LONG = Duration.ofSeconds(60);
    String TEMPLATE = "'template':{'metadata':{'labels':{'app':'x'}},'spec':{'containers':[{'name':'main','image':"
            + "'nginx:1.25'}]}}";
    String JOB_TEMPLATE = TEMPLATE.replace("'containers'", "'restartPolicy':'Never','containers'");

    @Test
    default void givenAStatefulSet_whenCreated_thenPodsWithOrdinalsBecomeReady() {
        String ns = namespace();
        String sets = "/apis/apps/v1/namespaces/" + ns + "/statefulsets";
        created(
                sets,
                "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'db'},'spec':{'replicas':2,"
                        + "'serviceName':'db','selector':{'matchLabels':{'app':'x'}}," + TEMPLATE + "}}");

        await().atMost(LONG)
                .until(() -> api().get(sets + "/db").at("/status/readyReplicas").asInt(0) == 2);
        assertThat(api().get(NAMESPACES + "/" + ns + "/pods").names()).containsExactly("db-0", "db-1");
        ok(api().merge(sets + "/db/scale", "{'spec':{'replicas':1}}"));
        await().atMost(LONG)
                .until(() -> api().get(NAMESPACES + "/" + ns + "/pods").names().equals(java.util.List.of("db-0")));
    }

    @Test
    default void givenAPodOfADeployment_whenDeleted_thenReplaced() {
        String ns = namespace();
        String pods = NAMESPACES + "/" + ns + "/pods";
        created(Contract.deployments(ns), Contract.deployment("web", 1));
        await().atMost(LONG)
                .until(() -> api().get(Contract.deployments(ns) + "/web")
                                .at("/status/readyReplicas")
                                .asInt(0)
                        == 1);
        String first = api().get(pods).names().getFirst();

        ok(api().delete(pods + "/" + first));

        await().atMost(LONG).untilAsserted(() -> {
            Reply list = api().get(pods);
            assertThat(list.names()).hasSize(1).doesNotContain(first);
            assertThat(list.at("/items/0/status/phase").stringValue()).isEqualTo("Running");
        });
    }

    @Test
    default void givenAPodOfADeployment_whenItStarts_thenItIsPendingBeforeItRuns() {
        String ns = namespace();
        String version = api().get(NAMESPACES + "/" + ns + "/pods").version();
        var phases = new ArrayList<String>();
        try (var watch =
                api().watch(NAMESPACES + "/" + ns + "/pods?watch=1&timeoutSeconds=60&resourceVersion=" + version)) {
            created(Contract.deployments(ns), Contract.deployment("web", 1));
            while (!phases.contains("Running")) {
                String phase = Json.text(watch.next(), "object", "status", "phase");
                assertThat(phase).isNotEmpty();
                phases.add(phase);
            }
        }
        assertThat(phases.getFirst()).isEqualTo("Pending");
        assertThat(phases).containsOnly("Pending", "Running");
    }

    @Test
    default void givenANewTemplate_whenADeploymentIsChanged_thenANewReplicaSetTakesOver() {
        String ns = namespace();
        String sets = "/apis/apps/v1/namespaces/" + ns + "/replicasets";
        created(Contract.deployments(ns), Contract.deployment("web", 1));
        await().atMost(LONG)
                .until(() -> api().get(Contract.deployments(ns) + "/web")
                                .at("/status/readyReplicas")
                                .asInt(0)
                        == 1);

        ok(api().strategic(
                        Contract.deployments(ns) + "/web",
                        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'nginx:1.26'}]}}}}"));

        await().atMost(LONG).untilAsserted(() -> {
            Reply list = api().get(sets);
            assertThat(list.at("/items").valueStream().map(set -> Json.number(set, -1, "spec", "replicas")))
                    .containsExactlyInAnyOrder(0L, 1L);
            assertThat(api().get(Contract.deployments(ns) + "/web")
                            .text("metadata", "annotations", "deployment.kubernetes.io/revision"))
                    .isEqualTo("2");
        });
    }

    @Test
    @Waits
    default void givenAJob_whenCreated_thenItsPodsSucceedAndItCompletes() {
        String ns = namespace();
        String jobs = "/apis/batch/v1/namespaces/" + ns + "/jobs";
        created(
                jobs,
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'once'},'spec':{'completions':2,"
                        + "'parallelism':2," + JOB_TEMPLATE + "}}");

        assertThat(api().get(jobs + "/once").text("metadata", "labels", "batch.kubernetes.io/job-name"))
                .isEqualTo("once");
        await().atMost(LONG).untilAsserted(() -> {
            Reply job = api().get(jobs + "/once");
            assertThat(job.at("/status/succeeded").asInt(0)).isEqualTo(2);
            assertThat(job.at("/status/conditions").valueStream().map(condition -> Json.text(condition, "type")))
                    .contains("Complete");
        });
        assertThat(api().get(NAMESPACES + "/" + ns + "/pods?labelSelector=job-name=once")
                        .at("/items")
                        .valueStream()
                        .map(pod -> Json.text(pod, "status", "phase")))
                .containsExactly("Succeeded", "Succeeded");
    }

    /** A schedule of once a year, so that no other run can come in between. */
    @Test
    @Waits
    default void givenACronJobThatMissedRuns_whenItIsSeen_thenAJobOfTheNewestRunsAndCompletes() {
        String ns = namespace();
        String cronJobs = "/apis/batch/v1/namespaces/" + ns + "/cronjobs";
        created(
                cronJobs,
                "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'yearly'},'spec':{'schedule':'0 0 1 1 *',"
                        + "'timeZone':'Etc/UTC','jobTemplate':{'spec':{" + JOB_TEMPLATE + "}}}}");
        assertThat(api().get("/apis/batch/v1/namespaces/" + ns + "/jobs").names())
                .isEmpty();
        ZonedDateTime newest = Year.now(ZoneOffset.UTC).atDay(1).atStartOfDay(ZoneOffset.UTC);

        ok(api().merge(
                        cronJobs + "/yearly/status",
                        "{'status':{'lastScheduleTime':'" + newest.minusYears(3).toInstant() + "'}}"));

        await().atMost(LONG).untilAsserted(() -> {
            Reply jobs = api().get("/apis/batch/v1/namespaces/" + ns + "/jobs");
            assertThat(jobs.names()).containsExactly("yearly-" + newest.toEpochSecond() / 60);
            assertThat(jobs.at("/items/0/metadata/ownerReferences/0/name").stringValue())
                    .isEqualTo("yearly");
            assertThat(jobs.at("/items/0/status/succeeded").asInt(0)).isEqualTo(1);
            assertThat(api().get(cronJobs + "/yearly").text("status", "lastScheduleTime"))
                    .isEqualTo(newest.toInstant().toString());
        });
    }

    @Test
    default void givenADeploymentThatShrinks_whenScaled_thenPodsGo() {
        String ns = namespace();
        String web = Contract.deployments(ns) + "/web";
        created(Contract.deployments(ns), Contract.deployment("web", 3));
        await().atMost(LONG)
                .until(() -> api().get(web).at("/status/readyReplicas").asInt(0) == 3);

        ok(api().merge(web + "/scale", "{'spec':{'replicas':1}}"));

        await().atMost(LONG).untilAsserted(() -> {
            assertThat(api().get(NAMESPACES + "/" + ns + "/pods").names()).hasSize(1);
            assertThat(api().get(web).at("/status/replicas").asInt(0)).isEqualTo(1);
        });
    }
}
