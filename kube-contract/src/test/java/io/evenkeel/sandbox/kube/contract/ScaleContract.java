package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.deployment;
import static io.evenkeel.sandbox.kube.contract.Contract.deployments;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The {@code /scale} of built-in and custom kinds. */
interface ScaleContract extends Contract {
    String SCALE = "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'a'},'spec':{'replicas':4}}";

    @Test
    default void givenAScale_whenReadAndWritten_thenTheReplicasFollow() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        Reply scale = ok(api().get(widgets(ns) + "/a/scale"));
        Reply scaled = ok(api().merge(widgets(ns) + "/a/scale", "{'spec':{'replicas':4}}"));

        assertThat(scale.text("kind")).isEqualTo("Scale");
        assertThat(scale.text("apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(scale.at("/spec/replicas").intValue()).isEqualTo(1);
        assertThat(scaled.at("/spec/replicas").intValue()).isEqualTo(4);
        assertThat(api().get(widgets(ns) + "/a").at("/spec/replicas").intValue())
                .isEqualTo(4);
    }

    @Test
    default void givenADeployment_whenItsScaleIsRead_thenTheSelectorIsTextInOrder() {
        String ns = namespace();
        created(deployments(ns), deployment("a", 0).replace("{'app':'a'}", "{'app':'a','also':'b'}"));

        assertThat(ok(api().get(deployments(ns) + "/a/scale"))
                        .at("/status/selector")
                        .stringValue())
                .isEqualTo("also=b,app=a");
    }

    @Test
    default void givenZeroReplicas_whenTheScaleIsRead_thenItsSpecIsEmpty() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        assertThat(ok(api().merge(widgets(ns) + "/a/scale", "{'spec':{'replicas':0}}"))
                        .at("/spec"))
                .isEmpty();
    }

    @Test
    default void givenAScale_whenItIsAppliedToADeployment_thenTheReplicasChangeHands() {
        String ns = namespace();
        created(deployments(ns) + "?fieldManager=me", deployment("a", 1));

        Reply refused = api().apply(deployments(ns) + "/a/scale?fieldManager=other", SCALE);
        ok(api().apply(deployments(ns) + "/a/scale?fieldManager=other&force=true", SCALE));

        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).contains("conflict with \"me\" using autoscaling/v1: .spec.replicas");
        Reply scaled = ok(api().get(deployments(ns) + "/a"));
        assertThat(scaled.at("/spec/replicas").intValue()).isEqualTo(4);
        assertThat(scaled.owned("other", "Apply")).isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
        assertThat(scaled.owned("me", "Update")).doesNotContain("f:replicas");
    }

    @Test
    default void givenACustomResource_whenItsScaleIsApplied_thenError() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));

        Reply reply = api().apply(widgets(ns) + "/a/scale?fieldManager=other&force=true", SCALE);

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message()).endsWith("request to convert CR to an invalid group/version: autoscaling/v1");
    }

    @Test
    default void givenFewerThanNone_whenScaled_thenInvalid() {
        String ns = namespace();
        created(deployments(ns), deployment("a", 0));
        created(widgets(ns), widget("a", "'replicas':1"));

        assertThat(api().merge(deployments(ns) + "/a/scale", "{'spec':{'replicas':-1}}")
                        .causes())
                .containsExactly(
                        "FieldValueInvalid spec.replicas: Invalid value: -1: must be greater than or equal to 0");
        assertThat(api().merge(widgets(ns) + "/a/scale", "{'spec':{'replicas':-1}}")
                        .causes())
                .contains("FieldValueInvalid .spec.replicas: Invalid value: -1: should be a non-negative integer");
    }

    @Test
    default void givenAScaleThatDoesNotFit_whenWritten_thenRefused() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':1"));
        String scale = widgets(ns) + "/a/scale";

        assertThat(api().put(scale, SCALE.replace("'a'", "'b'")).message())
                .isEqualTo("the name of the object (b) does not match the name on the URL (a)");
        assertThat(api().put(scale, SCALE.replace("'a'", "'a','resourceVersion':'1'"))
                        .code())
                .isEqualTo(409);
        assertThat(api().strategic(scale, "{'spec':{'replicas':4}}").code()).isEqualTo(415);
        assertThat(api().merge(scale, "{'spec':{'replicas':'x'}}").message())
                .endsWith("json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32");
        assertThat(api().get(widgets(ns) + "/none/scale").code()).isEqualTo(404);
    }
}
