package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.ok;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** CustomResourceDefinitions and the validation of what they define. */
interface DefinitionContract extends Contract {
    String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /** The kind that many cases use. */
    String WIDGETS = """
        {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
         'metadata':{'name':'widgets.test.evenkeel.io'},
         'spec':{'group':'test.evenkeel.io','scope':'Namespaced',
          'names':{'plural':'widgets','singular':'widget','kind':'Widget','listKind':'WidgetList','shortNames':['wd']},
          'versions':[{'name':'v1','served':true,'storage':true,
           'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.replicas','statusReplicasPath':'.status.replicas'}},
           'additionalPrinterColumns':[{'name':'Replicas','type':'integer','jsonPath':'.spec.replicas'},
            {'name':'Age','type':'date','jsonPath':'.metadata.creationTimestamp'}],
           'schema':{'openAPIV3Schema':{'type':'object','required':['spec'],'properties':{
            'spec':{'type':'object','required':['replicas'],'properties':{
             'replicas':{'type':'integer','minimum':0,'maximum':100},
             'image':{'type':'string','pattern':'^[a-z]+$','maxLength':5,'minLength':2},
             'mode':{'type':'string','enum':['a','b'],'default':'a'},
             'tags':{'type':'array','items':{'type':'string'},'x-kubernetes-list-type':'set','maxItems':3},
             'ports':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['port'],
              'items':{'type':'object','required':['port'],'properties':{'port':{'type':'integer'},'name':{'type':'string'}}}},
             'opt':{'type':'string','nullable':true},
             'free':{'type':'object','x-kubernetes-preserve-unknown-fields':true},
             'labels':{'type':'object','additionalProperties':{'type':'string'}},
             'sel':{'type':'object','x-kubernetes-map-type':'atomic','properties':{'a':{'type':'string'}}},
             'any':{'x-kubernetes-int-or-string':true}}},
            'status':{'type':'object','properties':{'replicas':{'type':'integer'}}}}}}}]}}
        """;

    static String gadgets(String plural, String versions) {
        return "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'" + plural
                + "." + GROUP + "'},'spec':{'group':'" + GROUP + "','scope':'Cluster','names':{'plural':'" + plural
                + "','kind':'" + kind(plural) + "'},'versions':[" + versions + "]}}";
    }

    static String version(String name, boolean storage, String properties) {
        return "{'name':'" + name + "','served':true,'storage':" + storage
                + ",'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object','properties':{"
                + properties + "}}}}}}";
    }

    static String kind(String plural) {
        return Character.toUpperCase(plural.charAt(0)) + plural.substring(1, plural.length() - 1);
    }

    static String gadget(String plural, String version, String name, String spec) {
        return "{'apiVersion':'" + GROUP + "/" + version + "','kind':'" + kind(plural) + "','metadata':{'name':'" + name
                + "'},'spec':{" + spec + "}}";
    }

    static void awaitEstablished(ApiClient api, String name) {
        await(name)
                .atMost(Duration.ofSeconds(30))
                .until(() -> api.get(DEFINITIONS + "/" + name)
                        .at("/status/conditions")
                        .valueStream()
                        .anyMatch(condition -> Json.text(condition, "type").equals("Established")
                                && Json.text(condition, "status").equals("True")));
    }

    private String define(String plural, String... versions) {
        created(DEFINITIONS, gadgets(plural, String.join(",", versions)));
        awaitEstablished(api(), plural + "." + GROUP);
        String path = "/apis/" + GROUP + "/v1/" + plural;
        await(path).atMost(Duration.ofSeconds(30)).until(() -> api().get(path).code() == 200);
        return path;
    }

    private Reply refused(String spec) {
        Reply reply = api().post(widgets("default"), widget("a", spec));
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.reason()).isEqualTo("Invalid");
        return reply;
    }

    @Test
    default void givenADefinition_whenCreated_thenEstablishedWithItsNames() {
        Reply reply = api().get(DEFINITIONS + "/widgets.test.evenkeel.io");

        assertThat(reply.at("/status/acceptedNames/plural").stringValue()).isEqualTo("widgets");
        assertThat(reply.at("/status/storedVersions/0").stringValue()).isEqualTo("v1");
        assertThat(reply.at("/status/conditions").valueStream().map(c -> Json.text(c, "type")))
                .contains("NamesAccepted", "Established");
        assertThat(reply.at("/spec/conversion/strategy").stringValue()).isEqualTo("None");
    }

    @Test
    default void givenAMissingField_whenCreated_thenRequired() {
        Reply reply = api().post(
                        widgets("default"),
                        "{'apiVersion':'test.evenkeel.io/v1','kind':'Widget','metadata':{'name':'a'}}");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).isEqualTo("Widget.test.evenkeel.io \"a\" is invalid: spec: Required value");
        assertThat(reply.causes()).containsExactly("FieldValueRequired spec: Required value");
    }

    @Test
    default void givenANumberOverItsMaximum_whenCreated_thenInvalid() {
        assertThat(refused("'replicas':200").causes())
                .containsExactly("FieldValueInvalid spec.replicas: Invalid value: 200: spec.replicas in body should be"
                        + " less than or equal to 100");
    }

    @Test
    default void givenANumberUnderItsMinimum_whenCreated_thenInvalid() {
        assertThat(refused("'replicas':-1").causes())
                .contains("FieldValueInvalid spec.replicas: Invalid value: -1: spec.replicas in body should be greater"
                        + " than or equal to 0");
    }

    @Test
    default void givenAWrongType_whenCreated_thenTypeInvalid() {
        assertThat(refused("'replicas':'x'").causes())
                .contains(
                        "FieldValueTypeInvalid spec.replicas: Invalid value: \"string\": spec.replicas in body must be"
                                + " of type integer: \"string\"");
    }

    @Test
    default void givenAValueOutsideTheEnum_whenCreated_thenNotSupported() {
        assertThat(refused("'replicas':1,'mode':'z'").causes())
                .containsExactly("FieldValueNotSupported spec.mode: Unsupported value: \"z\": supported values: \"a\","
                        + " \"b\"");
    }

    @Test
    default void givenATextThatIsTooLong_whenCreated_thenTooLong() {
        assertThat(refused("'replicas':1,'image':'abcdefg'").causes())
                .containsExactly("FieldValueTooLong spec.image: Too long: may not be more than 5 bytes");
    }

    @Test
    default void givenATextThatIsTooShort_whenCreated_thenInvalid() {
        assertThat(refused("'replicas':1,'image':'a'").causes())
                .containsExactly("FieldValueInvalid spec.image: Invalid value: \"a\": spec.image in body should be at"
                        + " least 2 chars long");
    }

    @Test
    default void givenATextThatDoesNotMatch_whenCreated_thenInvalid() {
        assertThat(refused("'replicas':1,'image':'A1'").causes())
                .containsExactly("FieldValueInvalid spec.image: Invalid value: \"A1\": spec.image in body should match"
                        + " '^[a-z]+$'");
    }

    @Test
    default void givenTooManyItems_whenCreated_thenTooMany() {
        assertThat(refused("'replicas':1,'tags':['a','b','c','d']").causes())
                .containsExactly("FieldValueTooMany spec.tags: Too many: 4: must have at most 3 items");
    }

    @Test
    default void givenADuplicateInASet_whenCreated_thenDuplicate() {
        assertThat(refused("'replicas':1,'tags':['a','a']").causes())
                .containsExactly("FieldValueDuplicate spec.tags[1]: Duplicate value: \"a\"");
    }

    @Test
    default void givenADuplicateKeyInAList_whenCreated_thenDuplicate() {
        assertThat(refused("'replicas':1,'ports':[{'port':1},{'port':1}]").causes())
                .containsExactly("FieldValueDuplicate spec.ports[1]: Duplicate value: {\"port\":1}");
    }

    @Test
    default void givenAnItemWithoutARequiredField_whenCreated_thenTheIndexIsInThePath() {
        assertThat(refused("'replicas':1,'ports':[{'name':'x'}]").causes())
                .containsExactly("FieldValueRequired spec.ports[0].port: Required value");
    }

    @Test
    default void givenAMapValueOfAWrongType_whenCreated_thenTypeInvalid() {
        assertThat(refused("'replicas':1,'labels':{'a':1}").causes())
                .containsExactly(
                        "FieldValueTypeInvalid spec.labels.a: Invalid value: \"integer\": spec.labels.a in body"
                                + " must be of type string: \"integer\"");
    }

    @Test
    default void givenABooleanForIntOrString_whenCreated_thenTypeInvalid() {
        assertThat(refused("'replicas':1,'any':true").causes())
                .containsExactly("FieldValueTypeInvalid spec.any: Invalid value: \"boolean\": spec.any in body must be"
                        + " of type integer,string: \"boolean\"");
    }

    @Test
    default void givenSeveralMistakes_whenCreated_thenAllAtOnce() {
        Reply reply = refused("'replicas':200,'image':'A1','mode':'z','ports':[{}],'any':true");

        assertThat(reply.causes()).hasSize(5);
        assertThat(reply.message()).startsWith("Widget.test.evenkeel.io \"a\" is invalid: [");
    }

    @Test
    default void givenADefault_whenCreated_thenFilledIn() {
        String ns = namespace();
        assertThat(created(widgets(ns), widget("a", "'replicas':1"))
                        .at("/spec/mode")
                        .stringValue())
                .isEqualTo("a");
    }

    @Test
    default void givenANull_whenTheFieldIsNullable_thenKept() {
        String ns = namespace();
        Reply made = created(widgets(ns), widget("a", "'replicas':1,'opt':null"));

        assertThat(made.at("/spec").has("opt")).isTrue();
        assertThat(made.at("/spec/opt").isNull()).isTrue();
    }

    @Test
    default void givenANull_whenTheFieldHasADefault_thenTheDefault() {
        String ns = namespace();
        assertThat(created(widgets(ns), widget("a", "'replicas':1,'mode':null"))
                        .at("/spec/mode")
                        .stringValue())
                .isEqualTo("a");
    }

    @Test
    default void givenPreservedUnknownFields_whenCreated_thenKept() {
        String ns = namespace();
        Reply made = created(widgets(ns), widget("a", "'replicas':1,'free':{'x':{'y':[1,null]}}"));

        assertThat(made.at("/spec/free").toString()).isEqualTo("{\"x\":{\"y\":[1,null]}}");
    }

    @Test
    default void givenNoKind_whenCreated_thenBadRequest() {
        Reply reply = api().post(widgets("default"), "{'metadata':{'name':'a'},'spec':{'replicas':1}}");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).contains("Object 'Kind' is missing");
    }

    @Test
    default void givenPrinterColumns_whenATableIsAsked_thenTheyAreFilled() {
        String ns = namespace();
        created(widgets(ns), widget("a", "'replicas':4"));

        Reply table = api().get(widgets(ns), "application/json;as=Table;g=meta.k8s.io;v=v1");

        assertThat(table.at("/columnDefinitions").valueStream().map(c -> Json.text(c, "name")))
                .containsExactly("Name", "Replicas", "Age");
        assertThat(table.at("/rows/0/cells/1").intValue()).isEqualTo(4);
        assertThat(table.at("/rows/0/cells/2").stringValue()).matches("\\d+s");
    }

    @Test
    default void givenAWrongName_whenADefinitionIsCreated_thenInvalid() {
        Reply reply = api().post(
                        DEFINITIONS, gadgets("wrongs", version("v1", true, "")).replace("wrongs.test", "other.test"));

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.causes().getFirst()).contains("metadata.name").contains("must be spec.names.plural+");
    }

    @Test
    @Waits
    default void givenTwoVersions_whenReadInTheOther_thenOnlyTheVersionDiffers() {
        define("twins", version("v1", true, "'a':{'type':'string'}"), version("v2", false, "'a':{'type':'string'}"));
        Reply made = created("/apis/" + GROUP + "/v2/twins", gadget("twins", "v2", "x", "'a':'b'"));

        Reply other = ok(api().get("/apis/" + GROUP + "/v1/twins/x"));

        assertThat(made.text("apiVersion")).isEqualTo(GROUP + "/v2");
        assertThat(other.text("apiVersion")).isEqualTo(GROUP + "/v1");
        assertThat(other.uid()).isEqualTo(made.uid());
        assertThat(other.version()).isEqualTo(made.version());
        assertThat(other.at("/spec/a").stringValue()).isEqualTo("b");
    }

    @Test
    @Waits
    default void givenObjects_whenTheirDefinitionIsDeleted_thenTheyGoAndTheWatchEnds() {
        String path = define("goners", version("v1", true, "'a':{'type':'string'}"));
        created(path, gadget("goners", "v1", "x", "'a':'b'"));
        try (var watch = api().watch(path + "?watch=1")) {
            assertThat(watch.nextLine()).isEqualTo("ADDED x");
            ok(api().delete(DEFINITIONS + "/goners." + GROUP));

            assertThat(watch.nextLine()).isEqualTo("DELETED x");
            assertThat(watch.linesToEnd()).isEmpty();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> api().get(path).code() == 404);
    }

    @Test
    @Waits
    default void givenADeletedDefinition_whenCreatedAgain_thenServedAndEmpty() {
        String path = define("phoenixs", version("v1", true, "'a':{'type':'string'}"));
        created(path, gadget("phoenixs", "v1", "x", "'a':'b'"));
        ok(api().delete(DEFINITIONS + "/phoenixs." + GROUP));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> api().get(DEFINITIONS + "/phoenixs." + GROUP).code() == 404);

        define("phoenixs", version("v1", true, "'a':{'type':'string'}"));

        assertThat(api().get(path).names()).isEmpty();
    }

    @Test
    @Waits
    default void givenAChangedSchema_whenWritten_thenTheNewOneHolds() {
        String path = define("movers", version("v1", true, "'a':{'type':'string'}"));
        ok(api().jsonPatch(
                        DEFINITIONS + "/movers." + GROUP,
                        "[{'op':'add','path':'/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b',"
                                + "'value':{'type':'integer'}}]"));

        await().atMost(Duration.ofSeconds(30))
                .until(() -> api().post(path + "?dryRun=All", gadget("movers", "v1", "x", "'b':7"))
                                .at("/spec/b")
                                .asInt(0)
                        == 7);
    }
}
