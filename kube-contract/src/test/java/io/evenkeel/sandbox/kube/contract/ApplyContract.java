package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMap;
import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.deployments;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import org.junit.jupiter.api.Test;

/** Server-side apply. */
interface ApplyContract extends Contract {
    private Reply apply(String path, String manager, String body) {
        return api().apply(path + "?fieldManager=" + manager, body);
    }

    @Test
    default void givenNoObject_whenApplied_thenCreatedAndOwned() {
        String ns = namespace();
        Reply made = apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'image':'ab'"));

        assertThat(made.code()).isEqualTo(201);
        assertThat(made.managers()).containsExactly("one/Apply");
        assertThat(made.owned("one", "Apply")).isEqualTo("{\"f:spec\":{\"f:image\":{},\"f:replicas\":{}}}");
        assertThat(made.at("/spec/mode").stringValue()).isEqualTo("a");
        assertThat(made.at("/metadata/generation").intValue()).isEqualTo(1);
    }

    @Test
    default void givenTheSameConfiguration_whenAppliedTwice_thenNothingIsWritten() {
        String ns = namespace();
        Reply first = apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1"));
        Reply second = ok(apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1")));

        assertThat(second.version()).isEqualTo(first.version());
    }

    @Test
    default void givenAnotherOwner_whenAValueDiffers_thenConflictNamesManagerAndField() {
        String ns = namespace();
        created(widgets(ns) + "?fieldManager=me", widget("a", "'replicas':1,'image':'ab'"));

        Reply reply = apply(widgets(ns) + "/a", "other", widget("a", "'replicas':2"));

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.reason()).isEqualTo("Conflict");
        assertThat(reply.message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"me\" using test.evenkeel.io/v1:"
                        + " .spec.replicas");
        assertThat(reply.causes())
                .containsExactly("FieldManagerConflict .spec.replicas: conflict with \"me\" using test.evenkeel.io/v1");
    }

    @Test
    default void givenTwoConflicts_whenApplied_thenBothAreListed() {
        String ns = namespace();
        created(widgets(ns) + "?fieldManager=me", widget("a", "'replicas':1,'image':'ab'"));

        Reply reply = apply(widgets(ns) + "/a", "other", widget("a", "'replicas':2,'image':'cd'"));

        assertThat(reply.message())
                .isEqualTo("Apply failed with 2 conflicts: conflicts with \"me\" using test.evenkeel.io/v1:\n"
                        + "- .spec.image\n- .spec.replicas");
    }

    @Test
    default void givenAnApplier_whenAnotherAppliesAnotherValue_thenTheConflictNamesNoVersion() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1"));

        Reply reply = apply(widgets(ns) + "/a", "two", widget("a", "'replicas':2"));

        assertThat(reply.message()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.replicas");
    }

    @Test
    default void givenAnotherOwner_whenTheValueIsTheSame_thenShared() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1"));

        Reply shared = ok(apply(widgets(ns) + "/a", "two", widget("a", "'replicas':1")));

        assertThat(shared.managers()).containsExactlyInAnyOrder("one/Apply", "two/Apply");
    }

    @Test
    default void givenAConflict_whenForced_thenTheFieldChangesHands() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'image':'ab'"));

        Reply forced = ok(apply(widgets(ns) + "/a", "two&force=true", widget("a", "'replicas':2")));

        assertThat(forced.at("/spec/replicas").intValue()).isEqualTo(2);
        assertThat(forced.owned("one", "Apply")).isEqualTo("{\"f:spec\":{\"f:image\":{}}}");
        assertThat(forced.owned("two", "Apply")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
    }

    @Test
    default void givenAFieldNoLongerApplied_whenNobodyElseOwnsIt_thenRemoved() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'image':'ab','free':{'x':1}"));

        Reply less = ok(apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1")));

        assertThat(Json.same(less.at("/spec"), Json.parse("{\"mode\":\"a\",\"replicas\":1}")))
                .isTrue();
    }

    @Test
    default void givenAFieldNoLongerApplied_whenAnotherOwnsIt_thenKept() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'image':'ab'"));
        apply(widgets(ns) + "/a", "two", widget("a", "'replicas':1,'image':'ab'"));

        Reply less = ok(apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1")));

        assertThat(less.at("/spec/image").stringValue()).isEqualTo("ab");
        assertThat(less.owned("two", "Apply")).isEqualTo("{\"f:spec\":{\"f:image\":{},\"f:replicas\":{}}}");
    }

    @Test
    default void givenAListByKey_whenAppliedByTwo_thenEachOwnsItsItems() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'ports':[{'port':1,'name':'x'}]"));
        Reply both = ok(apply(widgets(ns) + "/a", "two", widget("a", "'replicas':1,'ports':[{'port':2}]")));
        Reply less = ok(apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1")));

        assertThat(Json.same(both.at("/spec/ports"), Json.parse("[{\"name\":\"x\",\"port\":1},{\"port\":2}]")))
                .isTrue();
        assertThat(both.owned("two", "Apply"))
                .isEqualTo("{\"f:spec\":{\"f:ports\":{\"k:{\\\"port\\\":2}\":{\".\":{},\"f:port\":{}}},"
                        + "\"f:replicas\":{}}}");
        assertThat(less.at("/spec/ports").toString()).isEqualTo("[{\"port\":2}]");
    }

    @Test
    default void givenASet_whenAppliedByTwo_thenTheUnion() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'tags':['x','y']"));
        Reply both = ok(apply(widgets(ns) + "/a", "two", widget("a", "'replicas':1,'tags':['y','z']")));

        assertThat(both.at("/spec/tags").toString()).isEqualTo("[\"x\",\"y\",\"z\"]");
        assertThat(both.owned("two", "Apply"))
                .isEqualTo("{\"f:spec\":{\"f:replicas\":{},\"f:tags\":{\"v:\\\"y\\\"\":{},\"v:\\\"z\\\"\":{}}}}");
    }

    @Test
    default void givenAnAtomicMap_whenAppliedByAnother_thenConflictOnTheWhole() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'sel':{'a':'b'}"));

        Reply reply = apply(widgets(ns) + "/a", "two", widget("a", "'replicas':1,'sel':{'a':'c'}"));

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.causes()).containsExactly("FieldManagerConflict .spec.sel: conflict with \"one\"");
    }

    @Test
    default void givenNoManager_whenApplied_thenInvalid() {
        Reply reply = api().apply(widgets("default") + "/a", widget("a", "'replicas':1"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .isEqualTo("PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for"
                        + " apply patch");
    }

    @Test
    default void givenAnUndeclaredField_whenApplied_thenError() {
        String ns = namespace();
        Reply reply = apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'unknown':1"));

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message()).endsWith(".spec.unknown: field not declared in schema");
    }

    @Test
    default void givenAWrongType_whenApplied_thenError() {
        String ns = namespace();
        Reply reply = apply(widgets(ns) + "/a", "one", widget("a", "'replicas':'x'"));

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message()).endsWith(".spec.replicas: expected numeric (int or float), got string");
    }

    @Test
    default void givenManagedFields_whenApplied_thenBadRequest() {
        Reply reply = apply(
                widgets("default") + "/a",
                "one",
                widget("a", "'replicas':1").replace("'name':'a'", "'name':'a','managedFields':[{'manager':'x'}]"));

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).isEqualTo("metadata.managedFields must be nil");
    }

    @Test
    default void givenYaml_whenApplied_thenUnderstood() {
        String ns = namespace();
        Reply made = apply(
                widgets(ns) + "/a",
                "one",
                "apiVersion: test.evenkeel.io/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  replicas: 1\n");

        assertThat(made.code()).isEqualTo(201);
    }

    @Test
    default void givenADeployment_whenApplied_thenDefaultsBelongToNobody() {
        String ns = namespace();
        Reply made = apply(deployments(ns) + "/a", "one", Contract.deployment("a", 0));

        assertThat(made.code()).isEqualTo(201);
        assertThat(made.managers()).containsExactly("one/Apply");
        assertThat(made.owned("one", "Apply"))
                .isEqualTo(("{'f:metadata':{'f:labels':{'f:app':{}}},'f:spec':{'f:replicas':{},'f:selector':{},"
                                + "'f:template':{'f:metadata':{'f:labels':{'f:app':{}}},'f:spec':{'f:containers':"
                                + "{'k:{\\'name\\':\\'main\\'}':{'.':{},'f:image':{},'f:name':{}}}}}}}")
                        .replace('\'', '"'));
    }

    @Test
    default void givenAStatus_whenAppliedThroughItsPath_thenOwnedUnderTheSubresource() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1"));

        Reply applied = ok(
                api().apply(
                                widgets(ns) + "/a/status?fieldManager=ctl",
                                "{'apiVersion':'test.evenkeel.io/v1','kind':'Widget','metadata':{'name':'a'},'status':{'replicas':3}}"));

        assertThat(applied.at("/status/replicas").intValue()).isEqualTo(3);
        assertThat(applied.managers()).containsExactlyInAnyOrder("one/Apply", "ctl/Apply/status");
        assertThat(applied.owned("ctl", "Apply")).isEqualTo("{\"f:status\":{\"f:replicas\":{}}}");
    }

    @Test
    default void givenAnUpdater_whenItChangesAnAppliedField_thenItTakesIt() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'image':'ab'"));

        Reply patched = ok(api().merge(widgets(ns) + "/a?fieldManager=ed", "{'spec':{'replicas':2}}"));

        assertThat(patched.owned("one", "Apply")).isEqualTo("{\"f:spec\":{\"f:image\":{}}}");
        assertThat(patched.owned("ed", "Update")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
    }

    @Test
    default void givenAnUpdater_whenItRemovesAField_thenNobodyOwnsIt() {
        String ns = namespace();
        apply(widgets(ns) + "/a", "one", widget("a", "'replicas':1,'image':'ab'"));

        Reply patched = ok(api().merge(widgets(ns) + "/a?fieldManager=ed", "{'spec':{'image':null}}"));

        assertThat(patched.owned("one", "Apply")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
        assertThat(patched.managers()).containsExactly("one/Apply");
    }

    @Test
    default void givenAConfigMap_whenKeysAreAppliedByTwo_thenMerged() {
        String ns = namespace();
        apply(configMaps(ns) + "/a", "one", configMap("a"));
        Reply both = ok(apply(configMaps(ns) + "/a", "two", configMap("a").replace("'k':'v'", "'l':'w'")));
        Reply less = ok(
                apply(configMaps(ns) + "/a", "one", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'}}"));

        assertThat(Json.same(both.at("/data"), Json.parse("{\"k\":\"v\",\"l\":\"w\"}")))
                .isTrue();
        assertThat(less.at("/data").toString()).isEqualTo("{\"l\":\"w\"}");
    }

    @Test
    default void givenAList_whenAppliedInAnotherOrder_thenThatOrderHoldsForWhatItNames() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1,'ports':[{'port':2},{'port':1},{'port':3}]"));

        Reply applied = ok(apply(widgets(ns) + "/a", "one", widget("a", "'ports':[{'port':1},{'port':2}]")));

        assertThat(applied.at("/spec/ports").valueStream().map(port -> Json.text(port, "port")))
                .containsExactly("1", "3", "2");
    }

    @Test
    default void givenAStatusInTheConfiguration_whenTheObjectIsApplied_thenIgnored() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));
        ok(api().merge(widgets(ns) + "/a/status?fieldManager=me", "{'status':{'replicas':5}}"));

        Reply applied = ok(apply(
                widgets(ns) + "/a",
                "one",
                "{'apiVersion':'test.evenkeel.io/v1','kind':'Widget','spec':{'image':'ab'},'status':{'replicas':7}}"));

        assertThat(applied.at("/status/replicas").intValue()).isEqualTo(5);
        assertThat(applied.managers()).contains("me/Update/status");
    }

    @Test
    default void givenConflictsWithSeveral_whenApplied_thenByNameAndShorterPathsFirst() {
        String ns = namespace();
        created(widgets(ns) + "?fieldManager=b", widget("a", "'replicas':1,'free':{'x':1}"));
        ok(api().merge(widgets(ns) + "/a?fieldManager=a", "{'spec':{'image':'ab'}}"));
        ok(api().apply(widgets(ns) + "/a?fieldManager=b", widget("a", "'any':1")));

        Reply reply = apply(widgets(ns) + "/a", "one", widget("a", "'replicas':2,'free':{'x':2},'image':'cd','any':2"));

        assertThat(reply.message())
                .isEqualTo("Apply failed with 4 conflicts: conflicts with \"a\" using test.evenkeel.io/v1:\n"
                        + "- .spec.image\nconflicts with \"b\":\n- .spec.any\nconflicts with \"b\" using"
                        + " test.evenkeel.io/v1:\n- .spec.replicas\n- .spec.free.x");
    }

    @Test
    default void givenAValueThatBecomesAMap_whenUpdated_thenAllOfItIsOwned() {
        String ns = namespace();
        created(widgets(ns) + "?fieldManager=one", widget("a", "'replicas':1,'free':{'x':1}"));

        Reply updated = ok(api().merge(widgets(ns) + "/a?fieldManager=two", "{'spec':{'free':{'x':{'y':1}}}}"));

        assertThat(updated.owned("two", "Update"))
                .isEqualTo("{\"f:spec\":{\"f:free\":{\"f:x\":{\".\":{},\"f:y\":{}}}}}");
    }
}
