package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.real.RealKubeApi;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What {@code evenkeel watcher --check} says, on a simulated API server and on a real one. */
class WatcherCheckIT {
    private static final Set<String> EVERYWHERE = Set.of("*");

    private static EmbeddedKafka kafka;
    private static KubeSim sim;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        kafka = EmbeddedKafka.builder().build().start();
        sim = KubeSim.builder().start();
    }

    @AfterAll
    static void stop() {
        sim.close();
        kafka.close();
    }

    @Test
    void givenEverythingIsThere_whenChecked_thenAllIsOk() throws IOException {
        applyTopics("ok.");

        CommandRun run = check("ok.", kubeconfig(sim.kubeconfig()), "services,deployments.apps");

        assertThat(run.out().lines())
                .containsExactly(
                        "RESULT  WHERE  WHAT              DETAIL",
                        "ok      kafka  topics            " + Topic.values().length + " topics",
                        "ok      local  API server        as admin",
                        "ok      local  services",
                        "ok      local  deployments.apps");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void givenAUserWithFewRights_whenChecked_thenEachThatIsMissingIsNamedWithItsRemedy() throws IOException {
        applyTopics("few.");
        sim.access()
                .grant(
                        "few",
                        "few@example.com",
                        List.of(
                                new User.Rule(Set.of("list"), Set.of("services"), EVERYWHERE),
                                new User.Rule(Set.of("list", "watch"), Set.of("pods"), EVERYWHERE),
                                new User.Rule(
                                        Set.of("create"),
                                        Set.of(
                                                "selfsubjectreviews.authentication.k8s.io",
                                                "selfsubjectaccessreviews.authorization.k8s.io"),
                                        EVERYWHERE)));

        CommandRun run = check("few.", kubeconfig(withToken("few")), "services,pods,secrets,gadgets.x.io");

        assertThat(run.out().lines().toList().subList(2, 7))
                .containsExactly(
                        "ok       local  API server                 as few@example.com",
                        "missing  local  services                   may not watch",
                        "ok       local  pods",
                        "missing  local  secrets                    may not list, may not watch",
                        "missing  local  gadgets.x.io               does not exist, may not list, may not watch");
        assertThat(run.out())
                .contains("note     local  namespace kube-system", "may not get it")
                .containsPattern("note +local +customresourcedefinitions +may not list, may not watch:")
                .contains("# What cluster local does not allow yet; apply it there as an administrator:\n---\n")
                .contains(
                        "name: \"few.watcher\"", "[\"pods\", \"secrets\", \"services\"]", "name: \"few@example.com\"");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    /** It may do all it must; what it could do better is said with its remedy, and is no failure. */
    @Test
    void givenAUserWhoMayNotFollowDefinitions_whenChecked_thenItIsNotedWithTheRuleThatAllowsIt() throws IOException {
        applyTopics("definitions.");
        sim.access()
                .grant(
                        "no-definitions",
                        "ann@example.com",
                        List.of(
                                new User.Rule(Set.of("list", "watch"), Set.of("services"), EVERYWHERE),
                                new User.Rule(Set.of("get"), Set.of("namespaces"), EVERYWHERE),
                                new User.Rule(
                                        Set.of("list"),
                                        Set.of("customresourcedefinitions.apiextensions.k8s.io"),
                                        EVERYWHERE),
                                new User.Rule(
                                        Set.of("create"),
                                        Set.of(
                                                "selfsubjectreviews.authentication.k8s.io",
                                                "selfsubjectaccessreviews.authorization.k8s.io"),
                                        EVERYWHERE)));

        CommandRun run = check("definitions.", kubeconfig(withToken("no-definitions")), "services");

        assertThat(run.out())
                .containsPattern("note +local +customresourcedefinitions +may not watch:")
                .contains("""
                    - apiGroups: ["apiextensions.k8s.io"]
                      resources: ["customresourcedefinitions"]
                      verbs: ["list", "watch"]
                    """)
                .doesNotContain("missing");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void givenMissingTopicsAndWrongCredentials_whenChecked_thenBothAreSaid() throws IOException {
        CommandRun run = check("none.", kubeconfig(withToken("nobody")), "services");

        assertThat(run.out())
                .contains("missing  kafka  none.events", "Create it with: evenkeel topics apply")
                .containsPattern("missing  local  API server +does not accept the credentials \\(401\\)");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void givenNothingAnswers_whenChecked_thenBothAreSaidAndTheExitCodeIsUnreachable() throws IOException {
        int kafkaPort = LoopbackPorts.free();
        int port = LoopbackPorts.free();
        Path kubeconfig = kubeconfig(sim.kubeconfig().replace(sim.baseUrl(), "https://127.0.0.1:" + port));

        CommandRun run = CommandRun.of(
                environment(),
                "watcher",
                "--check",
                "--bootstrap-servers=127.0.0.1:" + kafkaPort,
                "--kubeconfig=" + kubeconfig,
                "--set=watcher.resources=services");

        assertThat(run.out())
                .containsPattern("unreachable  kafka  brokers +Kafka at 127.0.0.1:" + kafkaPort)
                .containsPattern("unreachable  local  API server +https://127.0.0.1:" + port + "/ can't be asked");
        assertThat(run.exitCode()).isEqualTo(4);
    }

    @Test
    @EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")
    void givenAServiceAccountWithoutRights_whenTheYamlIsApplied_thenTheCheckIsGreen() throws IOException {
        applyTopics("real.");
        try (RealKubeApi api = RealKubeApi.builder().build().start();
                KubernetesClient admin = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(api.kubeconfig()))
                        .build()) {
            Path kubeconfig = kubeconfig(api.kubeconfig().replace(api.token(), serviceAccountToken(admin)));
            String resources = "services,deployments.apps -n default,secrets -n kube-system";

            CommandRun before = check("real.", kubeconfig, resources);
            String yaml = before.out().substring(before.out().indexOf("---"));
            admin.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                    .serverSideApply();

            assertThat(before.exitCode()).isEqualTo(1);
            assertThat(before.out())
                    .contains("as system:serviceaccount:default:watcher", "may not list, may not watch")
                    .containsPattern("note +local +customresourcedefinitions +may not list");
            await("the rights are in force").atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                CommandRun after = check("real.", kubeconfig, resources);
                assertThat(after.out()).doesNotContain("missing", "note", "---");
                assertThat(after.exitCode()).isZero();
            });
        }
    }

    private static String serviceAccountToken(KubernetesClient admin) {
        admin.serviceAccounts()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("watcher")
                        .withNamespace("default")
                        .endMetadata()
                        .build())
                .create();
        TokenRequest token = admin.serviceAccounts()
                .inNamespace("default")
                .withName("watcher")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3_600L)
                        .endSpec()
                        .build());
        return token.getStatus().getToken();
    }

    private static String withToken(String token) {
        return sim.kubeconfig().replace(sim.token(), token);
    }

    private static Path kubeconfig(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "kubeconfig", ""), text);
    }

    private static void applyTopics(String prefix) {
        assertThat(CommandRun.of(environment(), arguments(prefix, "topics", "apply"))
                        .exitCode())
                .isZero();
    }

    private static CommandRun check(String prefix, Path kubeconfig, String resources) {
        return CommandRun.of(
                environment(),
                arguments(
                        prefix,
                        "watcher",
                        "--check",
                        "--kubeconfig=" + kubeconfig,
                        "--set=watcher.resources=" + resources,
                        "--set=watcher.redaction-key=a key of the tests, 16 bytes or more"));
    }

    private static String[] arguments(String prefix, String... command) {
        var all = new java.util.ArrayList<>(List.of(command));
        all.addAll(List.of(
                "--bootstrap-servers=" + kafka.bootstrapServers(),
                "--set=topics.prefix=" + prefix,
                "--set=topics.partitions=1",
                "--set=topics.watch-state-partitions=1",
                "--set=topics.replication-factor=1",
                "--set=topics.min-insync-replicas=1"));
        return all.toArray(String[]::new);
    }

    private static Map<String, String> environment() {
        return Map.of("XDG_DATA_HOME", folder.toString());
    }
}
