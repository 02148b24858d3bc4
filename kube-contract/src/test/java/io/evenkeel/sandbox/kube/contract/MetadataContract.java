package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMap;
import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The metadata that all kinds share: its rules, and what becomes of what a client writes into it. */
interface MetadataContract extends Contract {
    String OWNER = "{'apiVersion':'v1','kind':'ConfigMap','name':'x','uid':'u'}";

    private static String widgetWith(String metadata) {
        return widget("a", "'replicas':1").replace("'name':'a'", "'name':'a'" + metadata);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'apiVersion':'v1'|'apiVersion':''|metadata.ownerReferences.apiVersion|version must not be empty",
                "'v1'|'a/b/c'|metadata.ownerReferences.apiVersion|version must not be empty",
                "'ConfigMap'|''|metadata.ownerReferences.kind|must not be empty",
                "'name':'x'|'name':''|metadata.ownerReferences.name|must not be empty",
                "'uid':'u'|'uid':''|metadata.ownerReferences.uid|must not be empty",
                "'ConfigMap'|'Event'|metadata.ownerReferences|/v1, Kind=Event is disallowed from being an owner",
            })
    default void givenABrokenOwnerReference_whenCreated_thenInvalid(
            String right, String wrong, String field, String complaint) {
        String owners = ",'ownerReferences':[" + OWNER.replace(right, wrong) + "]";

        for (Reply reply : new Reply[] {
            api().post(configMaps("default"), configMap("a", owners)),
            api().post(widgets("default"), widgetWith(owners))
        }) {
            assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
            assertThat(reply.causes())
                    .singleElement()
                    .satisfies(cause -> assertThat(cause)
                            .startsWith("FieldValueInvalid " + field + ": Invalid value: ")
                            .endsWith(": " + complaint));
        }
    }

    @Test
    default void givenTwoControllers_whenCreated_thenInvalid() {
        String one = OWNER.replace("}", ",'controller':true}");
        String two = one.replace("'name':'x','uid':'u'", "'name':'y','uid':'v'");

        Reply reply = api().post(configMaps("default"), configMap("a", ",'ownerReferences':[" + one + "," + two + "]"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .endsWith("Only one reference can have Controller set to true. Found \"true\" in references for"
                        + " ConfigMap/x and ConfigMap/y");
    }

    @Test
    default void givenAnOwnerTwice_whenCreated_thenOnceAndAWarning() {
        Reply reply = api().post(
                        widgets("default") + "?dryRun=All",
                        widgetWith(",'ownerReferences':[" + OWNER + "," + OWNER + "]"));

        assertThat(reply.code()).isEqualTo(201);
        assertThat(reply.at("/metadata/ownerReferences").size()).isEqualTo(1);
        assertThat(reply.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("duplicate UID(s) observed: u"));
    }

    @Test
    default void givenAFinalizerWithoutADomain_whenCreated_thenTheKindDecides() {
        String finalizers = ",'finalizers':['a']";

        Reply refused = api().post(configMaps("default"), configMap("a", finalizers));
        Reply warned = api().post(widgets("default") + "?dryRun=All", widgetWith(finalizers));

        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid metadata.finalizers[0]: Invalid value: \"a\": name is neither a"
                        + " standard finalizer name nor is it fully qualified");
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("prefer a domain-qualified finalizer name"));
        assertThat(api().post(leases("default") + "?dryRun=All", lease("a", finalizers))
                        .code())
                .isEqualTo(201);
    }

    @Test
    default void givenTheFinalizersOfTwoPolicies_whenCreated_thenInvalid() {
        Reply reply = api().post(leases("default"), lease("a", ",'finalizers':['orphan','foregroundDeletion']"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).endsWith("finalizer orphan and foregroundDeletion cannot be both set");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'a':'b c'|a valid label must be an empty string or consist of alphanumeric characters",
                "'a/b/c':'x'|with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                "'A.b/c':'x'|prefix part a lowercase RFC 1123 subdomain must consist of lower case",
                "'/c':'x'|prefix part must be non-empty",
                "'':'x'|name part must be non-empty",
                "'-a':'x'|name part must consist of alphanumeric characters",
            })
    default void givenABadLabel_whenCreated_thenInvalid(String label, String complaint) {
        Reply reply = api().post(leases("default"), lease("a", ",'labels':{" + label + "}"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.causes())
                .anySatisfy(cause -> assertThat(cause)
                        .startsWith("FieldValueInvalid metadata.labels: Invalid value: ")
                        .contains(complaint));
    }

    @Test
    default void givenMuchInAnnotations_whenCreated_thenTooLong() {
        String large = "x".repeat(262_145);

        Reply reply = api().post(leases("default"), lease("a", ",'annotations':{'a':'" + large + "'}"));

        assertThat(reply.causes())
                .containsExactly("FieldValueTooLong metadata.annotations: Too long: may not be more than 262144 bytes");
    }

    @Test
    default void givenANullLabel_whenCreated_thenAnEmptyOne() {
        for (Reply reply : new Reply[] {
            api().post(configMaps("default") + "?dryRun=All", configMap("a", ",'labels':{'a':null}")),
            api().post(widgets("default") + "?dryRun=All", widgetWith(",'labels':{'a':null}"))
        }) {
            assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
            assertThat(reply.at("/metadata/labels/a").stringValue()).isEmpty();
        }
    }

    @Test
    default void givenALabelThatIsNoText_whenCreated_thenBadRequest() {
        Reply builtIn = api().post(configMaps("default"), configMap("a", ",'labels':{'a':1}"));
        Reply custom = api().post(widgets("default"), widgetWith(",'labels':{'a':1}"));

        assertThat(builtIn.code()).isEqualTo(400);
        assertThat(builtIn.message())
                .endsWith("json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type"
                        + " string");
        assertThat(custom.message())
                .endsWith("json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string");
    }

    @Test
    default void givenAGenerationOfAKindThatCountsNone_whenCreated_thenKept() {
        assertThat(api().post(configMaps("default") + "?dryRun=All", configMap("a", ",'generation':7"))
                        .at("/metadata/generation")
                        .intValue())
                .isEqualTo(7);
        assertThat(api().post(widgets("default") + "?dryRun=All", widgetWith(",'generation':7"))
                        .at("/metadata/generation")
                        .intValue())
                .isEqualTo(1);
    }

    @Test
    default void givenAnObjectThatIsBeingDeleted_whenCreatedAgain_thenTheRefusalSaysSo() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'finalizers':['x/y']"));
        ok(api().delete(leases(ns) + "/a"));

        Reply reply = api().post(leases(ns), lease("a"));

        assertThat(reply.code()).isEqualTo(409);
        assertThat(reply.message())
                .isEqualTo("object is being deleted: leases.coordination.k8s.io \"a\" already exists");
    }

    @Test
    default void givenNoClaims_whenUpdated_thenNobodyOwnsAnythingUntilSomebodyApplies() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));
        Reply reset = ok(api().merge(configMaps(ns) + "/a", "{'metadata':{'managedFields':[{}]}}"));

        Reply updated = ok(api().merge(configMaps(ns) + "/a", "{'data':{'more':'x'}}"));
        Reply applied = ok(api().apply(
                        configMaps(ns) + "/a?fieldManager=one",
                        "{'apiVersion':'v1','kind':'ConfigMap','data':{'mine':'x'}}"));

        assertThat(reset.managers()).isEmpty();
        assertThat(updated.managers()).isEmpty();
        assertThat(applied.managers()).containsExactly("one/Apply", "before-first-apply/Update");
        assertThat(applied.owned("before-first-apply", "Update"))
                .isEqualTo("{\"f:data\":{\".\":{},\"f:k\":{},\"f:more\":{}}}");
    }

    @Test
    default void givenAnEmptyListOfClaims_whenWritten_thenItDropsThoseOfBuiltInKindsOnly() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));
        created(widgets(ns), widget("a", "'replicas':1"));

        assertThat(ok(api().merge(configMaps(ns) + "/a", "{'metadata':{'managedFields':[]}}"))
                        .managers())
                .isEmpty();
        assertThat(ok(api().merge(widgets(ns) + "/a", "{'metadata':{'managedFields':[]}}"))
                        .managers())
                .containsExactly("contract/Update");
    }

    @Test
    default void givenClaimsThatMakeNoSense_whenWritten_thenTheOldOnesStay() {
        String ns = namespace();
        created(configMaps(ns), configMap("a"));

        Reply reply = ok(api().merge(
                        configMaps(ns) + "/a",
                        "{'metadata':{'managedFields':[{'manager':'z','operation':'Guess','fieldsType':'FieldsV1',"
                                + "'fieldsV1':{}}]}}"));

        assertThat(reply.managers()).containsExactly("contract/Update");
    }
}
