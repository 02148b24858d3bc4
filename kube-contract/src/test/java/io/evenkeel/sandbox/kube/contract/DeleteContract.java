package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMap;
import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Deletion and finalizers, as far as the API server alone carries them out. */
interface DeleteContract extends Contract {
    @Test
    default void givenAnObject_whenDeleted_thenAStatusWithItsUid() {
        String ns = namespace();
        Reply made = created(leases(ns), lease("a"));

        Reply reply = ok(api().delete(leases(ns) + "/a"));

        assertThat(reply.text("kind")).isEqualTo("Status");
        assertThat(reply.text("status")).isEqualTo("Success");
        assertThat(reply.text("details", "uid")).isEqualTo(made.uid());
        assertThat(reply.text("details", "kind")).isEqualTo("leases");
        assertThat(api().get(leases(ns) + "/a").code()).isEqualTo(404);
    }

    @Test
    default void givenNoObject_whenDeleted_thenNotFound() {
        assertThat(api().delete(leases("default") + "/none").code()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "kube-system", "kube-public"})
    default void givenANamespaceOfTheSystem_whenDeleted_thenForbidden(String name) {
        Reply reply = api().delete(NAMESPACES + "/" + name);

        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.reason()).isEqualTo("Forbidden");
        assertThat(reply.message())
                .isEqualTo("namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
    }

    @Test
    default void givenAFinalizer_whenDeleted_thenMarkedAndKept() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1").replace("'name':'a'", "'name':'a','finalizers':['x/y']"));

        Reply marked = ok(api().delete(widgets(ns) + "/a"));

        assertThat(marked.text("kind")).isEqualTo("Widget");
        assertThat(marked.text("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(marked.at("/metadata/deletionGracePeriodSeconds").intValue()).isZero();
        assertThat(marked.at("/metadata/generation").intValue()).isEqualTo(2);
        assertThat(api().get(widgets(ns) + "/a").code()).isEqualTo(200);
    }

    @Test
    default void givenAMarkedObject_whenDeletedAgain_thenUnchanged() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'finalizers':['x/y']"));
        Reply marked = ok(api().delete(leases(ns) + "/a"));

        Reply again = ok(api().delete(leases(ns) + "/a"));

        assertThat(again.version()).isEqualTo(marked.version());
    }

    @Test
    default void givenTheLastFinalizer_whenRemoved_thenTheObjectGoesAndWatchersSeeItsLastState() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'finalizers':['x/y']"));
        Reply marked = ok(api().delete(leases(ns) + "/a"));
        try (var watch = api().watch(leases(ns) + "?watch=1&resourceVersion=" + marked.version())) {
            Reply freed = ok(api().merge(leases(ns) + "/a", "{'metadata':{'finalizers':null}}"));

            JsonNode frame = watch.next();
            assertThat(freed.at("/metadata/finalizers").isMissingNode()).isTrue();
            assertThat(freed.version()).isEqualTo(marked.version());
            assertThat(Json.text(frame, "type")).isEqualTo("DELETED");
            assertThat(frame.at("/object/metadata/finalizers/0").stringValue()).isEqualTo("x/y");
            assertThat(api().get(leases(ns) + "/a").code()).isEqualTo(404);
        }
    }

    @Test
    default void givenAMarkedObject_whenAFinalizerIsAdded_thenForbidden() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1").replace("'name':'a'", "'name':'a','finalizers':['x/y']"));
        ok(api().delete(widgets(ns) + "/a"));

        Reply reply = api().merge(widgets(ns) + "/a", "{'metadata':{'finalizers':['x/y','z/w']}}");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .contains("metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                        + " deleted, found new finalizers []string{\"z/w\"}");
    }

    @Test
    default void givenAnotherUidAsPrecondition_whenDeleted_thenConflict() {
        String ns = namespace();
        Reply made = created(configMaps(ns), configMap("a"));

        Reply reply = api().delete(configMaps(ns) + "/a", "{'preconditions':{'uid':'abc'}}");

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.message())
                .isEqualTo(
                        "Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (abc) does not"
                                + " match the UID in record (" + made.uid()
                                + "). The object might have been deleted and then recreated");
    }

    @Test
    default void givenAnOldVersionAsPrecondition_whenDeleted_thenConflict() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply reply = api().delete(configMaps(ns) + "/a", "{'preconditions':{'resourceVersion':'1'}}");

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.message()).contains("the ResourceVersion in the precondition (1) does not match");
    }

    @Test
    default void givenDryRun_whenDeleted_thenStillThere() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        ok(api().delete(configMaps(ns) + "/a?dryRun=All"));

        assertThat(api().get(configMaps(ns) + "/a").code()).isEqualTo(200);
    }

    @Test
    default void givenASelector_whenACollectionIsDeleted_thenOnlyTheSelected() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'labels':{'x':'y'}"));
        created(leases(ns), lease("b"));

        Reply reply = ok(api().delete(leases(ns) + "?labelSelector=x=y"));

        assertThat(reply.text("kind")).isEqualTo("LeaseList");
        assertThat(reply.names()).containsExactly("a");
        assertThat(api().get(leases(ns)).names()).containsExactly("b");
    }

    @Test
    default void givenARecreatedObject_whenRead_thenAnotherUid() {
        String ns = namespace();
        Reply first = created(leases(ns), lease("a"));
        ok(api().delete(leases(ns) + "/a"));

        assertThat(created(leases(ns), lease("a")).uid()).isNotEqualTo(first.uid());
    }

    @Test
    default void givenAWrongPolicy_whenDeleted_thenInvalid() {
        String ns = namespace();
        created(leases(ns), lease("a"));

        Reply reply = api().delete(leases(ns) + "/a?propagationPolicy=Foo");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy");
    }

    @Test
    default void givenForeground_whenDeleted_thenTheFinalizerOfTheCollector() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'finalizers':['x/y']"));

        Reply marked = ok(api().delete(leases(ns) + "/a?propagationPolicy=Foreground"));

        assertThat(marked.at("/metadata/finalizers").valueStream().map(Json::plain))
                .contains("x/y", "foregroundDeletion");
    }

    @Test
    default void givenAKindThatIsShownWhenDeleted_whenDeleted_thenTheObject() {
        String ns = namespace();
        String accounts = "/api/v1/namespaces/" + ns + "/serviceaccounts";
        created(accounts, "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'a'}}");

        Reply reply = ok(api().delete(accounts + "/a"));

        assertThat(reply.text("kind")).isEqualTo("ServiceAccount");
        assertThat(api().get(accounts + "/a").code()).isEqualTo(404);
    }

    @Test
    default void givenAJobAndNoPolicy_whenDeleted_thenItsDependentsAreOrphaned() {
        String ns = namespace();
        String jobs = "/apis/batch/v1/namespaces/" + ns + "/jobs";
        created(
                jobs,
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a'},'spec':{'suspend':true,'template':{'spec':"
                    + "{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}");

        Reply reply = ok(api().delete(jobs + "/a"));

        assertThat(reply.text("kind")).isEqualTo("Job");
        assertThat(reply.at("/metadata/finalizers").toString()).contains("\"orphan\"");
    }
}
