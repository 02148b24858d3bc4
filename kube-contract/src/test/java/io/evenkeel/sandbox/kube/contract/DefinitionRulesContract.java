package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMap;
import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.DefinitionContract.DEFINITIONS;
import static io.evenkeel.sandbox.kube.contract.DefinitionContract.gadget;
import static io.evenkeel.sandbox.kube.contract.DefinitionContract.gadgets;
import static io.evenkeel.sandbox.kube.contract.DefinitionContract.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a CustomResourceDefinition must fulfil, and how it ends. */
interface DefinitionRulesContract extends Contract {
    String SCHEMA = "spec.validation.openAPIV3Schema.";
    String FIELD = SCHEMA + "properties[spec].properties[b].";
    Duration PATIENCE = Duration.ofSeconds(40);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'type':'array'|FieldValueRequired|items: Required value: must be specified",
                "'properties':{'c':{'type':'string'}}|FieldValueRequired|type: Required value: must not be empty for"
                        + " specified object fields",
                "'type':'array','items':{'pattern':'x'}|FieldValueRequired|items.type: Required value: must not be"
                        + " empty for specified array items",
                "'type':'foo'|FieldValueNotSupported|type: Unsupported value: \"foo\": supported values: \"array\","
                        + " \"boolean\", \"integer\", \"number\", \"object\", \"string\"",
                "'type':'integer','default':'x'|FieldValueTypeInvalid|default: Invalid value: \"string\":  in body"
                        + " must be of type integer: \"string\"",
                "'type':'array','items':{'type':'object'},'x-kubernetes-list-type':'map'|FieldValueRequired|x-kubernetes-list-map-keys:"
                    + " Required value: must not be empty if x-kubernetes-list-type is map",
                "'type':'array','items':{'type':'object'},'x-kubernetes-list-type':'set'|FieldValueInvalid"
                        + "|items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with"
                        + " x-kubernetes-list-type=set",
                "'type':'array','items':{'type':'object','properties':{'k':{'type':'string'}}},'x-kubernetes-list-type':"
                    + "'map','x-kubernetes-list-map-keys':['k']|FieldValueRequired|items.properties[k].default:"
                    + " Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or"
                    + " be a required property",
                "'type':'array','items':{'type':'string'},'uniqueItems':true|FieldValueForbidden|uniqueItems:"
                    + " Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
                "'type':'object','additionalProperties':{'type':'string'},'properties':{'c':{'type':'string'}}|FieldValueForbidden|additionalProperties:"
                    + " Forbidden: additionalProperties and properties are mutual exclusive",
            })
    default void givenASchemaThatIsNotStructural_whenDefined_thenInvalid(
            String field, String reason, String complaint) {
        Reply reply =
                api().post(DEFINITIONS + "?dryRun=All", gadgets("dials", version("v1", true, "'b':{" + field + "}")));

        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.causes())
                .singleElement()
                .satisfies(cause -> assertThat(cause).startsWith(reason).endsWith(" " + FIELD + complaint));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'type':'object','properties':{'spec'|'properties':{'spec'|spec.validation.openAPIV3Schema.type:"
                        + " Required value: must not be empty at the root",
                "'properties':{'spec'|'properties':{'metadata':{'type':'object','properties':{'labels':{'type':'object'}}},'spec'|spec.validation.openAPIV3Schema.properties[metadata]:"
                    + " Forbidden: must not specify anything other than name and generateName, but metadata is"
                    + " implicitly specified",
                "'Cluster'|'World'|spec.scope: Unsupported value: \"World\": supported values: \"Cluster\","
                        + " \"Namespaced\"",
                "'served':true|'served':true,'additionalPrinterColumns':[{'name':'x','type':'foo','jsonPath':'.a'}]"
                        + "|spec.additionalPrinterColumns[0].type: Invalid value: \"foo\": must be one of"
                        + " boolean,date,integer,number,string",
                "'kind':'Dial'|'kind':'Dial','shortNames':['A']|spec.names.shortNames[0]: Invalid value: \"A\": a"
                        + " DNS-1035 label must consist of lower case alphanumeric characters or '-'",
                "'scope'|'preserveUnknownFields':true,'scope'|spec.preserveUnknownFields: Invalid value: true: cannot"
                        + " set to true",
                "test.evenkeel.io|test.k8s.io|metadata.annotations[api-approved.kubernetes.io]: Required value:"
                        + " protected groups must have approval annotation",
            })
    default void givenADefinitionThatDoesNotFit_whenCreated_thenInvalid(String right, String wrong, String complaint) {
        String definition = gadgets("dials", version("v1", true, "'b':{'type':'string'}"));

        Reply reply = api().post(DEFINITIONS + "?dryRun=All", definition.replace(right, wrong));

        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.message()).contains(complaint);
    }

    @Test
    default void givenADefinition_whenItsScopeKindOrStoredVersionIsChanged_thenInvalid() {
        String definition = gadgets("clocks", version("v1", true, "'b':{'type':'string'}"));
        created(DEFINITIONS, definition);
        DefinitionContract.awaitEstablished(api(), "clocks." + GROUP);
        String path = DEFINITIONS + "/clocks." + GROUP;
        try {
            assertThat(api().merge(path + "?dryRun=All", "{'spec':{'scope':'Namespaced'}}")
                            .message())
                    .endsWith("spec.scope: Invalid value: \"Namespaced\": field is immutable");
            assertThat(api().merge(path + "?dryRun=All", "{'spec':{'names':{'kind':'Watch'}}}")
                            .message())
                    .contains("spec.names.kind: Invalid value: \"Watch\": field is immutable");
            assertThat(api().jsonPatch(
                                    path + "?dryRun=All",
                                    "[{'op':'replace','path':'/spec/versions/0/name','value':'v2'}]")
                            .message())
                    .contains("status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions");
        } finally {
            ok(api().delete(path));
        }
    }

    @Test
    @Waits
    default void givenADefinitionThatIsBeingDeleted_whenAnObjectIsCreated_thenForbidden() {
        created(DEFINITIONS, gadgets("bells", version("v1", true, "'b':{'type':'string'}")));
        DefinitionContract.awaitEstablished(api(), "bells." + GROUP);
        String bells = "/apis/" + GROUP + "/v1/bells";
        await(bells).atMost(PATIENCE).until(() -> api().get(bells).code() == 200);
        String held = gadget("bells", "v1", "a", "'b':'x'").replace("'name':'a'", "'name':'a','finalizers':['x/y']");
        created(bells, held);

        ok(api().delete(DEFINITIONS + "/bells." + GROUP));

        await("the refusal").atMost(PATIENCE).untilAsserted(() -> {
            Reply refused = api().post(bells + "?dryRun=All", gadget("bells", "v1", "b", "'b':'x'"));
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.message())
                    .isEqualTo("bells.test.evenkeel.io \"b\" is forbidden: create not allowed while custom resource"
                            + " definition is terminating");
        });
        await("the condition")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(api().get(DEFINITIONS + "/bells." + GROUP)
                                .at("/status/conditions")
                                .valueStream()
                                .map(condition -> Json.text(condition, "type") + " " + Json.text(condition, "reason")))
                        .contains("Terminating InstanceDeletionInProgress"));
        ok(api().merge(bells + "/a", "{'metadata':{'finalizers':null}}"));
    }

    @Test
    @Waits
    default void givenObjectsThatOwnOthers_whenTheirDefinitionIsDeleted_thenTheDependentsGoToo() {
        String ns = namespace();
        created(DEFINITIONS, gadgets("horns", version("v1", true, "'b':{'type':'string'}")));
        DefinitionContract.awaitEstablished(api(), "horns." + GROUP);
        String horns = "/apis/" + GROUP + "/v1/horns";
        await(horns).atMost(PATIENCE).until(() -> api().get(horns).code() == 200);
        Reply owner = created(horns, gadget("horns", "v1", "a", "'b':'x'"));
        String reference = ",'ownerReferences':[{'apiVersion':'" + GROUP + "/v1','kind':'Horn','name':'a','uid':'"
                + owner.uid() + "'}]";
        awaitKnownKind(ns, reference);

        ok(api().delete(DEFINITIONS + "/horns." + GROUP));

        await("the dependent")
                .atMost(Duration.ofMinutes(2))
                .until(() -> api().get(configMaps(ns) + "/child").code() == 404);
    }

    /** A real collector learns of a new kind some time after the server does, and only then of its dependents. */
    private void awaitKnownKind(String ns, String reference) {
        created(configMaps(ns), configMap("child", reference));
        String dead = reference.replaceFirst("'uid':'[^']+'", "'uid':'nobody'");
        created(configMaps(ns), configMap("probe", dead));
        await("the collector")
                .atMost(Duration.ofMinutes(2))
                .until(() -> api().get(configMaps(ns) + "/probe").code() == 404);
    }
}
