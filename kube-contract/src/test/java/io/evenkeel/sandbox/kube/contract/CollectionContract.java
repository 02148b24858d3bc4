package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMap;
import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Owner references and namespaces: what controllers beside the API server do. */
interface CollectionContract extends Contract {
    Duration SOON = Duration.ofSeconds(30);

    private static String ownedBy(String owner, String uid, boolean block) {
        return ",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'" + owner + "','uid':'" + uid
                + "','blockOwnerDeletion':" + block + "}]";
    }

    private void awaitGone(String path) {
        await(path).atMost(SOON).until(() -> api().get(path).code() == 404);
    }

    @Test
    default void givenAnOwner_whenDeleted_thenItsDependentsGo() {
        String ns = namespace();
        Reply owner = created(configMaps(ns), configMap("owner"));
        created(configMaps(ns), configMap("child", ownedBy("owner", owner.uid(), false)));
        created(configMaps(ns), configMap("other"));

        ok(api().delete(configMaps(ns) + "/owner"));

        awaitGone(configMaps(ns) + "/child");
        assertThat(api().get(configMaps(ns) + "/other").code()).isEqualTo(200);
    }

    @Test
    default void givenAWrongOwnerUid_whenCreated_thenCollected() {
        String ns = namespace();
        created(configMaps(ns), configMap("owner"));
        created(configMaps(ns), configMap("child", ownedBy("owner", "00000000-0000-4000-8000-000000000000", false)));

        awaitGone(configMaps(ns) + "/child");
    }

    @Test
    default void givenAnOwnerThatDoesNotExist_whenCreated_thenCollected() {
        String ns = namespace();
        created(configMaps(ns), configMap("child", ownedBy("nobody", "00000000-0000-4000-8000-000000000000", false)));
        created(configMaps(ns), configMap("other"));

        awaitGone(configMaps(ns) + "/child");
        assertThat(api().get(configMaps(ns) + "/other").code()).isEqualTo(200);
    }

    @Test
    default void givenAnOwnerInAnotherNamespace_whenCreated_thenCollected() {
        String ns = namespace();
        String other = namespace();
        Reply owner = created(configMaps(other), configMap("owner"));
        created(configMaps(ns), configMap("child", ownedBy("owner", owner.uid(), false)));

        awaitGone(configMaps(ns) + "/child");
    }

    @Test
    default void givenForeground_whenDeleted_thenTheOwnerGoesAfterItsDependents() {
        String ns = namespace();
        Reply owner = created(configMaps(ns), configMap("owner"));
        created(configMaps(ns), configMap("child", ownedBy("owner", owner.uid(), true) + ",'finalizers':['x/y']"));

        ok(api().delete(configMaps(ns) + "/owner?propagationPolicy=Foreground"));
        await().atMost(SOON)
                .until(() -> !api().get(configMaps(ns) + "/child")
                        .text("metadata", "deletionTimestamp")
                        .isEmpty());
        assertThat(api().get(configMaps(ns) + "/owner").code()).isEqualTo(200);
        ok(api().merge(configMaps(ns) + "/child", "{'metadata':{'finalizers':null}}"));

        awaitGone(configMaps(ns) + "/owner");
    }

    @Test
    default void givenOrphan_whenDeleted_thenTheDependentsStayWithoutTheirOwner() {
        String ns = namespace();
        Reply owner = created(configMaps(ns), configMap("owner"));
        created(configMaps(ns), configMap("child", ownedBy("owner", owner.uid(), false)));

        ok(api().delete(configMaps(ns) + "/owner?propagationPolicy=Orphan"));

        awaitGone(configMaps(ns) + "/owner");
        assertThat(api().get(configMaps(ns) + "/child")
                        .at("/metadata/ownerReferences")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    default void givenTwoOwners_whenOneIsDeleted_thenTheDependentStays() {
        String ns = namespace();
        Reply first = created(configMaps(ns), configMap("first"));
        Reply second = created(configMaps(ns), configMap("second"));
        String both = ownedBy("first", first.uid(), false)
                .replace("]", "," + ownedBy("second", second.uid(), false).substring(20));
        created(configMaps(ns), configMap("child", both));

        ok(api().delete(configMaps(ns) + "/first"));

        await().atMost(SOON)
                .until(() -> api().get(configMaps(ns) + "/child")
                                .at("/metadata/ownerReferences")
                                .size()
                        == 1);
    }

    @Test
    @Waits
    default void givenANamespace_whenDeleted_thenItsContentsGoFirst() {
        String ns = namespace();
        created(configMaps(ns), configMap("a", ",'finalizers':['x/y']"));

        Reply marked = ok(api().delete(NAMESPACES + "/" + ns));
        assertThat(marked.text("status", "phase")).isEqualTo("Terminating");
        await().atMost(SOON)
                .until(() -> !api().get(configMaps(ns) + "/a")
                        .text("metadata", "deletionTimestamp")
                        .isEmpty());
        assertThat(api().get(NAMESPACES + "/" + ns).code()).isEqualTo(200);
        ok(api().merge(configMaps(ns) + "/a", "{'metadata':{'finalizers':null}}"));

        awaitGone(NAMESPACES + "/" + ns);
    }

    @Test
    default void givenATerminatingNamespace_whenSomethingIsCreatedInIt_thenForbidden() {
        String ns = namespace();
        created(configMaps(ns), configMap("a", ",'finalizers':['x/y']"));
        ok(api().delete(NAMESPACES + "/" + ns));

        Reply reply = api().post(configMaps(ns), configMap("b"));

        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.message())
                .isEqualTo("configmaps \"b\" is forbidden: unable to create new content in namespace " + ns
                        + " because it is being terminated");
        assertThat(reply.at("/details/causes/0/reason").stringValue()).isEqualTo("NamespaceTerminating");
        ok(api().merge(configMaps(ns) + "/a", "{'metadata':{'finalizers':null}}"));
    }

    @Test
    default void givenADeployment_whenCreatedAndScaled_thenItsPodsBecomeReady() {
        String ns = namespace();
        created(Contract.deployments(ns), Contract.deployment("web", 2));

        awaitReplicas(ns, 2);
        ok(api().merge(Contract.deployments(ns) + "/web", "{'spec':{'replicas':3}}"));
        awaitReplicas(ns, 3);
        Reply ready = api().get(Contract.deployments(ns) + "/web");
        assertThat(ready.at("/status/observedGeneration").intValue()).isEqualTo(2);
        assertThat(ready.at("/status/conditions").valueStream()).anySatisfy(condition -> {
            assertThat(condition.path("type").stringValue()).isEqualTo("Available");
            assertThat(condition.path("status").stringValue()).isEqualTo("True");
        });
        ok(api().delete(Contract.deployments(ns) + "/web?propagationPolicy=Background"));
        await().atMost(SOON)
                .until(() -> api().get(NAMESPACES + "/" + ns + "/pods").names().isEmpty());
    }

    private void awaitReplicas(String ns, int wanted) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            Reply deployment = api().get(Contract.deployments(ns) + "/web");
            return deployment.at("/status/readyReplicas").asInt(0) == wanted
                    && deployment.at("/status/availableReplicas").asInt(0) == wanted;
        });
    }
}
