package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMap;
import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.deployment;
import static io.evenkeel.sandbox.kube.contract.Contract.deployments;
import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.services;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Create, update and the plain patches. */
interface WriteContract extends Contract {
    @Test
    default void givenANewObject_whenCreated_thenTheServerFillsItsMetadata() {
        String ns = namespace();
        Reply made = created(configMaps(ns), configMap("a"));

        assertThat(made.uid()).hasSize(36);
        assertThat(made.version()).isNotEmpty();
        assertThat(made.text("metadata", "creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(made.text("metadata", "namespace")).isEqualTo(ns);
        assertThat(made.at("/metadata/generation").isMissingNode()).isTrue();
        assertThat(made.managers()).containsExactly("contract/Update");
    }

    @Test
    default void givenAGenerateName_whenCreated_thenAFreshNameBehindIt() {
        String ns = namespace();
        Reply made =
                api().post(configMaps(ns), "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'generateName':'x-'}}");

        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("metadata", "name")).matches("x-[a-z0-9]{5}");
        assertThat(made.text("metadata", "generateName")).isEqualTo("x-");
    }

    @Test
    default void givenATakenName_whenCreated_thenAlreadyExists() {
        String ns = namespace();
        created(leases(ns), lease("a"));

        Reply reply = api().post(leases(ns), lease("a"));

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.reason()).isEqualTo("AlreadyExists");
        assertThat(reply.message()).isEqualTo("leases.coordination.k8s.io \"a\" already exists");
        assertThat(reply.text("details", "group")).isEqualTo("coordination.k8s.io");
    }

    @Test
    default void givenNoName_whenCreated_thenInvalid() {
        Reply reply = api().post(configMaps("default"), "{'apiVersion':'v1','kind':'ConfigMap','metadata':{}}");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .isEqualTo(
                        "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required");
    }

    @Test
    default void givenABadName_whenCreated_thenInvalid() {
        Reply reply = api().post(configMaps("default"), configMap("A_b"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain");
    }

    @Test
    default void givenNoSuchNamespace_whenCreated_thenNotFound() {
        Reply reply = api().post(configMaps("nowhere"), configMap("a"));

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.message()).isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    default void givenAnotherNamespaceInTheBody_whenCreated_thenBadRequest() {
        Reply reply = api().post(configMaps("default"), configMap("a", ",'namespace':'other'"));

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    default void givenAnotherNamespaceInTheBody_whenUpdatedOrApplied_thenBadRequest() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));
        String body = configMap("a", ",'namespace':'other'");

        Reply updated = api().put(configMaps(ns) + "/a", body);
        Reply applied = api().apply(configMaps(ns) + "/a?fieldManager=me", body);
        Reply appliedAnew = api().apply(configMaps(ns) + "/b?fieldManager=me", body.replace("'a'", "'b'"));

        for (Reply reply : List.of(updated, applied, appliedAnew)) {
            assertThat(reply.code()).isEqualTo(400);
            assertThat(reply.message())
                    .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    @Test
    default void givenAResourceVersion_whenCreated_thenRefused() {
        Reply reply = api().post(configMaps("default"), configMap("a", ",'resourceVersion':'5'"));

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message()).isEqualTo("resourceVersion should not be set on objects to be created");
    }

    @Test
    default void givenAnotherKindInTheBody_whenCreated_thenBadRequest() {
        Reply reply = api().post(configMaps("default"), "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'a'}}");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).startsWith("Secret in version \"v1\" cannot be handled as a ConfigMap");
    }

    @Test
    default void givenBrokenJson_whenCreated_thenBadRequest() {
        Reply reply = api().post(configMaps("default"), "{bad");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).startsWith("the object provided is unrecognized (must be of type ConfigMap)");
    }

    @Test
    default void givenAWrongType_whenCreated_thenBadRequest() {
        Reply reply = api().post(deployments("default"), deployment("a", 1).replace("'replicas':1", "'replicas':'x'"));

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message())
                .startsWith("Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal"
                        + " string into Go struct field");
        assertThat(reply.message()).endsWith("spec.replicas of type int32");
    }

    @Test
    default void givenMissingFields_whenADeploymentIsCreated_thenAllCauses() {
        Reply reply = api().post(
                        deployments("default"),
                        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a'},'spec':{}}");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.causes())
                .containsExactly(
                        "FieldValueInvalid spec.template.metadata.labels: Invalid value: null: `selector` does not"
                                + " match template `labels`",
                        "FieldValueRequired spec.selector: Required value",
                        "FieldValueRequired spec.template.spec.containers: Required value");
    }

    @Test
    default void givenADeployment_whenCreated_thenDefaultsAreFilledIn() {
        String ns = namespace();
        Reply made = created(deployments(ns), deployment("a", 0));

        assertThat(made.at("/spec/strategy/type").stringValue()).isEqualTo("RollingUpdate");
        assertThat(made.at("/spec/strategy/rollingUpdate/maxSurge").stringValue())
                .isEqualTo("25%");
        assertThat(made.at("/spec/revisionHistoryLimit").intValue()).isEqualTo(10);
        assertThat(made.at("/spec/progressDeadlineSeconds").intValue()).isEqualTo(600);
        assertThat(made.at("/spec/template/spec/restartPolicy").stringValue()).isEqualTo("Always");
        assertThat(made.at("/spec/template/spec/securityContext").isObject()).isTrue();
        assertThat(made.at("/spec/template/spec/containers/0/imagePullPolicy").stringValue())
                .isEqualTo("IfNotPresent");
        assertThat(made.at("/spec/template/spec/containers/0/resources").isObject())
                .isTrue();
        assertThat(made.at("/metadata/generation").intValue()).isEqualTo(1);
        assertThat(made.at("/status").isObject()).isTrue();
    }

    @Test
    default void givenADeployment_whenCreated_thenOwnershipNamesEveryField() {
        String ns = namespace();
        Reply made = created(deployments(ns), deployment("a", 0));

        assertThat(made.owned("contract", "Update"))
                .isEqualTo(("{'f:metadata':{'f:labels':{'.':{},'f:app':{}}},'f:spec':{'f:progressDeadlineSeconds':{},"
                               + "'f:replicas':{},'f:revisionHistoryLimit':{},'f:selector':{},'f:strategy':"
                               + "{'f:rollingUpdate':{'.':{},'f:maxSurge':{},'f:maxUnavailable':{}},'f:type':{}},"
                               + "'f:template':{'f:metadata':{'f:labels':{'.':{},'f:app':{}}},'f:spec':{'f:containers':"
                               + "{'k:{\\'name\\':\\'main\\'}':{'.':{},'f:image':{},'f:imagePullPolicy':{},'f:name':{},"
                               + "'f:resources':{},'f:terminationMessagePath':{},'f:terminationMessagePolicy':{}}},"
                               + "'f:dnsPolicy':{},'f:restartPolicy':{},'f:schedulerName':{},'f:securityContext':{},"
                               + "'f:terminationGracePeriodSeconds':{}}}}}")
                        .replace('\'', '"'));
    }

    @Test
    default void givenAService_whenCreated_thenItGetsAnAddress() {
        String ns = namespace();
        Reply made = created(
                services(ns),
                "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a'},'spec':{'selector':{'a':'b'},'ports':"
                        + "[{'port':80}]}}");

        assertThat(made.at("/spec/clusterIP").stringValue()).startsWith("10.");
        assertThat(made.at("/spec/clusterIPs/0")).isEqualTo(made.at("/spec/clusterIP"));
        assertThat(made.at("/spec/type").stringValue()).isEqualTo("ClusterIP");
        assertThat(made.at("/spec/ports/0/targetPort").intValue()).isEqualTo(80);
        assertThat(made.at("/spec/ports/0/protocol").stringValue()).isEqualTo("TCP");
        assertThat(made.at("/spec/ipFamilies/0").stringValue()).isEqualTo("IPv4");
    }

    @Test
    default void givenAService_whenUpdatedWithoutItsAddress_thenItKeepsIt() {
        String ns = namespace();
        String body =
                "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a'},'spec':{'selector':{'a':'b'},'ports':"
                        + "[{'port':80}]}}";
        Reply made = created(services(ns), body);

        Reply updated = ok(api().put(services(ns) + "/a", body.replace("80", "81")));

        assertThat(updated.at("/spec/clusterIP")).isEqualTo(made.at("/spec/clusterIP"));
    }

    @Test
    default void givenStringData_whenASecretIsCreated_thenItBecomesData() {
        String ns = namespace();
        Reply made = created(
                Contract.NAMESPACES + "/" + ns + "/secrets",
                "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'a'},'stringData':{'p':'q'}}");

        assertThat(made.at("/data/p").stringValue()).isEqualTo("cQ==");
        assertThat(made.at("/stringData").isMissingNode()).isTrue();
        assertThat(made.at("/type").stringValue()).isEqualTo("Opaque");
    }

    @Test
    default void givenAnUnknownField_whenStrict_thenBadRequest() {
        Reply reply = api().post(
                        configMaps("default") + "?fieldValidation=Strict",
                        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','foo':1},'bar':2}");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).contains("strict decoding error").contains("unknown field \"bar\"");
    }

    @Test
    default void givenAnUnknownField_whenWarned_thenAWarningAndTheFieldIsDropped() {
        String ns = namespace();
        Reply made =
                created(widgets(ns) + "?fieldValidation=Warn", widget("a", "'replicas':1,'unknown':2,'replicas':3"));

        assertThat(made.warnings())
                .containsExactlyInAnyOrder(
                        "299 - \"duplicate field \\\"spec.replicas\\\"\"",
                        "299 - \"unknown field \\\"spec.unknown\\\"\"");
        assertThat(made.at("/spec/unknown").isMissingNode()).isTrue();
        assertThat(made.at("/spec/replicas").intValue()).isEqualTo(3);
    }

    @Test
    default void givenAnUnknownField_whenIgnored_thenNoWarning() {
        String ns = namespace();
        Reply made = created(widgets(ns) + "?fieldValidation=Ignore", widget("a", "'replicas':1,'unknown':2"));

        assertThat(made.warnings()).isEmpty();
        assertThat(made.at("/spec/unknown").isMissingNode()).isTrue();
    }

    @Test
    default void givenDryRun_whenCreated_thenAnsweredAndNotStored() {
        String ns = namespace();
        Reply made = api().post(configMaps(ns) + "?dryRun=All", configMap("a"));

        assertThat(made.code()).isEqualTo(201);
        assertThat(made.uid()).isNotEmpty();
        assertThat(api().get(configMaps(ns) + "/a").code()).isEqualTo(404);
    }

    @Test
    default void givenAWrongDryRun_whenCreated_thenInvalid() {
        Reply reply = api().post(configMaps("default") + "?dryRun=foo", configMap("a"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("dryRun: Unsupported value: [\"foo\"]: supported values: \"All\"");
    }

    @Test
    default void givenTheNewestVersion_whenUpdated_thenStored() {
        String ns = namespace();
        Reply made = created(configMaps(ns), configMap("a"));
        ((ObjectNode) made.body().path("data")).put("k", "w");

        Reply updated = ok(api().put(configMaps(ns) + "/a", made.body()));

        assertThat(updated.at("/data/k").stringValue()).isEqualTo("w");
        assertThat(updated.version()).isNotEqualTo(made.version());
        assertThat(updated.uid()).isEqualTo(made.uid());
    }

    @Test
    default void givenAnOldVersion_whenUpdated_thenConflict() {
        String ns = namespace();
        Reply made = created(configMaps(ns), configMap("a"));
        ok(api().merge(configMaps(ns) + "/a", "{'data':{'k':'w'}}"));

        Reply reply = api().put(configMaps(ns) + "/a", made.body());

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.reason()).isEqualTo("Conflict");
        assertThat(reply.message())
                .isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please"
                        + " apply your changes to the latest version and try again");
    }

    @Test
    default void givenNoVersion_whenAConfigMapIsUpdated_thenStored() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        ok(api().put(configMaps(ns) + "/a", configMap("a", ",'labels':{'x':'y'}")));
    }

    @Test
    default void givenNoVersion_whenACustomResourceIsUpdated_thenInvalid() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        Reply reply = api().put(widgets(ns) + "/a", widget("a", "'replicas':2"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .isEqualTo("widgets.test.evenkeel.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must"
                        + " be specified for an update");
    }

    @Test
    default void givenNoObject_whenUpdated_thenNotFound() {
        assertThat(api().put(configMaps("default") + "/none", configMap("none")).code())
                .isEqualTo(404);
    }

    @Test
    default void givenAnotherName_whenUpdated_thenBadRequest() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply reply = api().put(configMaps(ns) + "/a", configMap("b"));

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).isEqualTo("the name of the object (b) does not match the name on the URL (a)");
    }

    @Test
    default void givenAnotherUid_whenUpdated_thenConflict() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply reply = api().put(configMaps(ns) + "/a", configMap("a", ",'uid':'abc'"));

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.message()).contains("Precondition failed: UID in precondition: abc");
    }

    @Test
    default void givenASpecChange_whenUpdated_thenTheGenerationGrows() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        assertThat(ok(api().merge(widgets(ns) + "/a", "{'metadata':{'labels':{'x':'y'}}}"))
                        .at("/metadata/generation")
                        .intValue())
                .isEqualTo(1);
        assertThat(ok(api().merge(widgets(ns) + "/a", "{'spec':{'replicas':2}}"))
                        .at("/metadata/generation")
                        .intValue())
                .isEqualTo(2);
    }

    @Test
    default void givenAStatus_whenWrittenThroughTheObject_thenIgnored() {
        String ns = namespace();
        Reply made =
                created(widgets(ns), widget("a", "'replicas':1").replace("'spec'", "'status':{'replicas':7},'spec'"));
        Reply patched = ok(api().merge(widgets(ns) + "/a", "{'status':{'replicas':7}}"));

        assertThat(made.at("/status").isMissingNode()).isTrue();
        assertThat(patched.at("/status").isMissingNode()).isTrue();
        assertThat(patched.version()).isEqualTo(made.version());
    }

    @Test
    default void givenAStatus_whenWrittenThroughItsPath_thenOnlyTheStatusChanges() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        Reply patched = ok(api().merge(
                        widgets(ns) + "/a/status?fieldManager=ctl",
                        "{'metadata':{'labels':{'x':'y'}},'spec':{'replicas':5},'status':{'replicas':7}}"));

        assertThat(patched.at("/status/replicas").intValue()).isEqualTo(7);
        assertThat(patched.at("/spec/replicas").intValue()).isEqualTo(1);
        assertThat(patched.at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(patched.at("/metadata/generation").intValue()).isEqualTo(1);
        assertThat(patched.managers()).containsExactlyInAnyOrder("contract/Update", "ctl/Update/status");
        assertThat(patched.owned("ctl", "Update")).isEqualTo("{\"f:status\":{\".\":{},\"f:replicas\":{}}}");
    }

    @Test
    default void givenAMergePatch_whenANullIsInIt_thenTheFieldGoes() {
        String ns = namespace();
        created(configMaps(ns), configMap("a", ",'labels':{'x':'y','z':'w'}"));

        Reply patched = ok(api().merge(configMaps(ns) + "/a", "{'metadata':{'labels':{'x':null}}}"));

        assertThat(patched.at("/metadata/labels").toString()).isEqualTo("{\"z\":\"w\"}");
    }

    @Test
    default void givenAMergePatchWithAnOldVersion_whenSent_thenConflict() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply reply = api().merge(configMaps(ns) + "/a", "{'metadata':{'resourceVersion':'1'},'data':{'k':'x'}}");

        assertThat(reply.code()).isEqualTo(409);
    }

    @Test
    default void givenNoObject_whenPatched_thenNotFound() {
        assertThat(api().merge(configMaps("default") + "/none", "{}").code()).isEqualTo(404);
    }

    @Test
    default void givenAJsonPatch_whenSent_thenEachOperationInOrder() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply patched = ok(
                api().jsonPatch(
                                configMaps(ns) + "/a",
                                "[{'op':'test','path':'/data/k','value':'v'},{'op':'add','path':'/data/l','value':'1'},"
                                    + "{'op':'copy','from':'/data/k','path':'/data/m'},{'op':'move','from':'/data/l','path':'/data/n'},"
                                    + "{'op':'replace','path':'/data/k','value':'w'},"
                                    + "{'op':'add','path':'/metadata/annotations','value':{'a/b':'c'}},{'op':'remove','path':'/data/m'}]"));

        assertThat(Json.same(patched.at("/data"), Json.parse("{\"k\":\"w\",\"n\":\"1\"}")))
                .isTrue();
        assertThat(patched.at("/metadata/annotations").toString()).isEqualTo("{\"a/b\":\"c\"}");
    }

    @Test
    default void givenAFailingTest_whenJsonPatched_thenUnprocessable() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply reply = api().jsonPatch(configMaps(ns) + "/a", "[{'op':'test','path':'/data/k','value':'x'}]");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.reason()).isEqualTo("Invalid");
    }

    @Test
    default void givenAPathToNothing_whenJsonPatched_thenUnprocessable() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        assertThat(api().jsonPatch(configMaps(ns) + "/a", "[{'op':'remove','path':'/data/x/y'}]")
                        .code())
                .isEqualTo(422);
    }

    @Test
    default void givenAStrategicPatch_whenSent_thenListsMergeByKey() {
        String ns = namespace();
        created(deployments(ns), deployment("a", 0));

        Reply patched = ok(api().strategic(
                        deployments(ns) + "/a",
                        "{'spec':{'template':{'spec':{'containers':[{'name':'side','image':'side:1'},{'name':'main',"
                                + "'image':'nginx:1.26'}]}}}}"));

        assertThat(patched.at("/spec/template/spec/containers").valueStream().map(c -> Json.text(c, "image")))
                .containsExactlyInAnyOrder("nginx:1.26", "side:1");
    }

    @Test
    default void givenADeleteDirective_whenStrategicallyPatched_thenTheItemGoes() {
        String ns = namespace();
        created(
                deployments(ns),
                deployment("a", 0).replace("'containers':[", "'containers':[{'name':'side','image':'s:1'},"));

        Reply patched = ok(api().strategic(
                        deployments(ns) + "/a",
                        "{'spec':{'template':{'spec':{'containers':[{'name':'side','$patch':'delete'}]}}}}"));

        assertThat(patched.at("/spec/template/spec/containers").size()).isEqualTo(1);
    }

    @Test
    default void givenACustomResource_whenStrategicallyPatched_thenUnsupported() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        Reply reply = api().strategic(widgets(ns) + "/a", "{}");

        assertThat(reply.code()).isEqualTo(415);
        assertThat(reply.message())
                .isEqualTo("the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
    }

    @Test
    default void givenASelector_whenADeploymentIsUpdated_thenItIsImmutable() {
        String ns = namespace();
        created(deployments(ns), deployment("a", 0));

        Reply reply = api().merge(
                        deployments(ns) + "/a",
                        "{'spec':{'selector':{'matchLabels':{'app':'b'}},'template':{'metadata':{'labels':{'app':'b'}}}}}");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("spec.selector: Invalid value").contains("field is immutable");
    }

    @Test
    default void givenAnUnknownField_whenTheWriteIsRefused_thenTheWarningComesAllTheSame() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));
        String unknown = widget("a", "'replicas':1,'foo':1");

        for (Reply reply : new Reply[] {
            api().post(widgets(ns), unknown),
            api().put(widgets(ns) + "/a", unknown.replace("'name':'a'", "'name':'a','resourceVersion':'1'")),
            api().put(widgets(ns) + "/none", unknown.replace("'name':'a'", "'name':'none'"))
        }) {
            assertThat(reply.code()).isGreaterThanOrEqualTo(400);
            assertThat(reply.warnings()).hasSize(1);
        }
    }

    @Test
    default void givenAMissingMember_whenReplacedByAJsonPatch_thenSet() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));
        String path = widgets(ns) + "/a";

        assertThat(ok(api().jsonPatch(path, "[{'op':'replace','path':'/spec/image','value':'ab'}]"))
                        .at("/spec/image")
                        .stringValue())
                .isEqualTo("ab");
        assertThat(api().jsonPatch(path, "[{'op':'replace','path':'/spec/tags/0','value':'ab'}]")
                        .code())
                .isEqualTo(422);
        assertThat(api().jsonPatch(path, "[{'op':'remove','path':'/spec/opt'}]").code())
                .isEqualTo(422);
    }

    @Test
    default void givenANullWhereNoneMayBe_whenACustomResourceIsWritten_thenDroppedAndNotByApply() {
        String ns = namespace();
        String spec = "'replicas':1,'image':null,'labels':{'x':null,'y':'z'}";

        Reply made = created(widgets(ns), widget("a", spec));
        Reply applied = api().apply(widgets(ns) + "/b?fieldManager=one", widget("b", spec));

        assertThat(made.at("/spec/image").isMissingNode()).isTrue();
        assertThat(made.at("/spec/labels").toString()).isEqualTo("{\"y\":\"z\"}");
        assertThat(applied.code()).isEqualTo(422);
        assertThat(applied.causes())
                .contains(
                        "FieldValueTypeInvalid spec.image: Invalid value: \"null\": spec.image in body must be of type"
                                + " string: \"null\"");
    }

    @Test
    default void givenAnImmutableConfigMap_whenChanged_thenEachFieldIsNamed() {
        String ns = namespace();
        created(configMaps(ns), configMap("a").replace("'data'", "'immutable':true,'data'"));

        Reply reply =
                api().merge(configMaps(ns) + "/a", "{'immutable':null,'data':{'k':'x'},'binaryData':{'b':'AAAA'}}");

        String rule = ": Forbidden: field is immutable when `immutable` is set";
        assertThat(reply.causes())
                .containsExactly(
                        "FieldValueForbidden binaryData" + rule,
                        "FieldValueForbidden data" + rule,
                        "FieldValueForbidden immutable" + rule);
    }

    @Test
    default void givenAKindThatAllowsIt_whenANewObjectIsPut_thenCreated() {
        String ns = namespace();

        assertThat(api().put(
                                Contract.services(ns) + "/a",
                                "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a'},'spec':{'ports':"
                                        + "[{'port':80}]}}")
                        .code())
                .isEqualTo(201);
        assertThat(api().put(
                                "/apis/rbac.authorization.k8s.io/v1/namespaces/" + ns + "/roles/a",
                                "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','metadata':{'name':'a'}}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    default void givenAStrategicPatch_whenSent_thenItsOrderHoldsForWhatItNames() {
        String ns = namespace();
        created(configMaps(ns), configMap("a", ",'finalizers':['x/c','x/b']"));
        created(deployments(ns), deployment("a", 0));
        String path = deployments(ns) + "/a";
        ok(api().strategic(path, containers("'name':'side','image':'b'", "'name':'main'")));

        Reply set = ok(api().strategic(configMaps(ns) + "/a", "{'metadata':{'finalizers':['x/a','x/c']}}"));
        Reply list = ok(api().strategic(path, containers("'name':'new','image':'c'", "'name':'main'")));

        assertThat(set.at("/metadata/finalizers").toString()).isEqualTo("[\"x/a\",\"x/c\",\"x/b\"]");
        assertThat(list.at("/spec/template/spec/containers").valueStream().map(c -> Json.text(c, "name")))
                .containsExactly("new", "side", "main");
    }

    private static String containers(String... items) {
        return "{'spec':{'template':{'spec':{'containers':[{" + String.join("},{", items) + "}]}}}}";
    }

    @Test
    default void givenNoName_whenPutOrAppliedAsNew_thenBadRequest() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));
        String nameless = "{'apiVersion':'v1','kind':'ConfigMap','data':{'x':'y'}}";

        for (Reply reply : new Reply[] {
            api().put(configMaps(ns) + "/a", nameless),
            api().put(configMaps(ns) + "/b", nameless),
            api().apply(configMaps(ns) + "/b?fieldManager=one", nameless)
        }) {
            assertThat(reply.code()).as("%s", reply.body()).isEqualTo(400);
            assertThat(reply.message())
                    .startsWith("the name of the object (")
                    .endsWith(" based on URL) was undeterminable: name must be provided");
        }
        assertThat(api().apply(configMaps(ns) + "/a?fieldManager=one", nameless).code())
                .isEqualTo(200);
    }
}
