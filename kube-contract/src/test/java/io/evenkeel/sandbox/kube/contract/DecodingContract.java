package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.deployment;
import static io.evenkeel.sandbox.kube.contract.Contract.deployments;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.services;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of values in built-in kinds: wrong types, forms that are made one, and rules of single kinds. */
interface DecodingContract extends Contract {
    private static String service(String spec) {
        return "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a'},'spec':{" + spec + "}}";
    }

    private static String withResources(String cpu) {
        return deployment("a", 0)
                .replace("'image':'nginx:1.25'", "'image':'nginx:1.25','resources':{'limits':{'cpu':" + cpu + "}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'replicas':0|'replicas':'x'|cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas"
                        + " of type int32",
                "'replicas':0|'replicas':1.5|cannot unmarshal number 1.5 into Go struct field"
                        + " DeploymentSpec.spec.replicas of type int32",
                "'replicas':0|'replicas':99999999999|cannot unmarshal number 99999999999 into Go struct field"
                        + " DeploymentSpec.spec.replicas of type int32",
                "'replicas':0|'strategy':'x'|cannot unmarshal string into Go struct field DeploymentSpec.spec.strategy"
                        + " of type v1.DeploymentStrategy",
                "'replicas':0|'strategy':{'rollingUpdate':{'maxSurge':true}}|cannot unmarshal bool into Go struct field"
                        + " RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
                "'nginx:1.25'|5|cannot unmarshal number into Go struct field"
                        + " Container.spec.template.spec.containers.image of type string",
                "'image':'nginx:1.25'|'env':['x']|cannot unmarshal string into Go struct field"
                        + " Container.spec.template.spec.containers.env of type v1.EnvVar",
                "'image':'nginx:1.25'|'env':{}|cannot unmarshal object into Go struct field"
                        + " Container.spec.template.spec.containers.env of type []v1.EnvVar",
                "'image':'nginx:1.25'|'resources':{'limits':{'cpu':'abc'}}|quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
                "'name':'a'|'creationTimestamp':'abc','name':'a'|parsing time \"abc\" as \"2006-01-02T15:04:05Z07:00\":"
                        + " cannot parse \"abc\" as \"2006\"",
            })
    default void givenAWrongType_whenADeploymentIsCreated_thenTheComplaintNamesTypeAndField(
            String right, String wrong, String complaint) {
        Reply reply = api().post(deployments("default"), deployment("a", 0).replaceFirst(right, wrong));

        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(400);
        assertThat(reply.message())
                .startsWith("Deployment in version \"v1\" cannot be handled as a Deployment: ")
                .endsWith(complaint);
    }

    @Test
    default void givenAWrongType_whenADeploymentIsPatched_thenUnprocessable() {
        String ns = namespace();
        created(deployments(ns), deployment("a", 0));

        Reply merged = api().merge(deployments(ns) + "/a", "{'spec':{'replicas':'x'}}");
        Reply patched =
                api().jsonPatch(deployments(ns) + "/a", "[{'op':'replace','path':'/spec/replicas','value':'x'}]");
        Reply strategic = api().strategic(deployments(ns) + "/a", "{'spec':{'replicas':'x'}}");

        for (Reply reply : new Reply[] {merged, patched}) {
            assertThat(reply.code()).isEqualTo(422);
            assertThat(reply.message())
                    .startsWith(" \"\" is invalid: patch: Invalid value: ")
                    .endsWith("json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type"
                            + " int32");
        }
        assertThat(strategic.code()).isEqualTo(422);
        assertThat(strategic.message()).startsWith(" \"\" is invalid: patch: Invalid value: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'0.5'|500m",
                "0.5|500m",
                "2|2",
                "'1000m'|1",
                "'1500m'|1500m",
                "'2000'|2k",
                "'1e3'|1e3",
                "'1024Mi'|1Gi",
                "'1500Mi'|1500Mi",
                "'0.5Gi'|512Mi",
                "'0.1Ki'|102400m",
                "'0'|0",
            })
    default void givenAQuantity_whenStored_thenInItsCanonicalForm(String value, String stored) {
        Reply reply = api().post(deployments("default") + "?dryRun=All", withResources(value));

        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
        assertThat(reply.at("/spec/template/spec/containers/0/resources/limits/cpu")
                        .stringValue())
                .isEqualTo(stored);
    }

    @Test
    default void givenAnotherFormOfAQuantity_whenApplied_thenNothingIsWritten() {
        String ns = namespace();
        String path = "/api/v1/namespaces/" + ns + "/limitranges/a?fieldManager=one";
        String range = "{'apiVersion':'v1','kind':'LimitRange','metadata':{'name':'a'},'spec':{'limits':"
                + "[{'type':'Pod','max':{'cpu':'CPU'}}]}}";
        Reply first = api().apply(path, range.replace("CPU", "500m"));

        assertThat(first.code()).as("%s", first.body()).isEqualTo(201);
        assertThat(ok(api().apply(path, range.replace("CPU", "0.5"))).version()).isEqualTo(first.version());
    }

    @Test
    default void givenAValueOutsideItsEnumeration_whenCreated_thenNotSupported() {
        Reply reply = api().post(services("default"), service("'ports':[{'port':80,'protocol':'X'}]"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.causes())
                .containsExactly("FieldValueNotSupported spec.ports[0].protocol: Unsupported value: \"X\": supported"
                        + " values: \"SCTP\", \"TCP\", \"UDP\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'ports':[]|FieldValueRequired spec.ports: Required value",
                "'type':'ExternalName'|FieldValueRequired spec.externalName: Required value",
                "'ports':[{'port':80},{'port':81,'name':'b'}]|FieldValueRequired spec.ports[0].name: Required value",
                "'ports':[{'port':80,'name':'a'},{'port':81,'name':'a'}]|FieldValueDuplicate spec.ports[1].name:"
                        + " Duplicate value: \"a\"",
                "'ports':[{'port':0,'targetPort':1}]|FieldValueInvalid spec.ports[0].port: Invalid value: 0: must be"
                        + " between 1 and 65535, inclusive",
                "'ports':[{'port':8,'name':'a'},{'port':8,'name':'b'}]|FieldValueDuplicate spec.ports[1]: Duplicate"
                    + " value: {\"Name\":\"\",\"Protocol\":\"TCP\",\"AppProtocol\":null,\"Port\":8,\"TargetPort\":0,"
                    + "\"NodePort\":0}",
            })
    default void givenPortsThatDoNotFit_whenAServiceIsCreated_thenInvalid(String spec, String cause) {
        Reply reply = api().post(services("default"), service(spec));

        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.causes()).containsExactly(cause);
    }

    @Test
    default void givenAnAddressFromTheServer_whenAServiceIsCreated_thenItBelongsToNobody() {
        String ns = namespace();

        Reply made = created(services(ns), service("'ports':[{'port':80}]"));

        assertThat(made.owned("contract", "Update"))
                .contains("\"f:ports\"", "\"f:sessionAffinity\"")
                .doesNotContain("f:clusterIP", "f:ipFamilies");
    }

    @Test
    default void givenRecreate_whenARollingUpdateIsLeft_thenForbidden() {
        String ns = namespace();
        created(deployments(ns), deployment("a", 0));

        assertThat(api().merge(deployments(ns) + "/a", "{'spec':{'strategy':{'type':'Recreate'}}}")
                        .causes())
                .containsExactly("FieldValueForbidden spec.strategy.rollingUpdate: Forbidden: may not be specified when"
                        + " strategy `type` is 'Recreate'");
    }

    @Test
    default void givenAnEmptySelector_whenADeploymentIsCreated_thenInvalid() {
        Reply reply =
                api().post(deployments("default"), deployment("a", 0).replace("{'matchLabels':{'app':'a'}}", "{}"));

        assertThat(reply.causes())
                .contains("FieldValueInvalid spec.selector: Invalid value: {}: empty selector is invalid for"
                        + " deployment");
    }

    @Test
    default void givenAVolumeWithoutASource_whenStored_thenItIsAnEmptyFolder() {
        String volumes = "'spec':{'volumes':[{'name':'v'}],'containers'";

        assertThat(api().post(
                                deployments("default") + "?dryRun=All",
                                deployment("a", 0).replace("'spec':{'containers'", volumes))
                        .at("/spec/template/spec/volumes/0/emptyDir")
                        .isObject())
                .isTrue();
    }
}
