package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static io.evenkeel.sandbox.kube.contract.Contract.widget;
import static io.evenkeel.sandbox.kube.contract.Contract.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Get and list. */
interface ListContract extends Contract {
    @Test
    default void givenObjects_whenListed_thenOrderedByNamespaceAndName() {
        String ns = namespace();
        created(leases(ns), lease("b"));
        created(leases(ns), lease("a"));
        created(leases(ns), lease("a-b"));

        Reply list = api().get(leases(ns));

        assertThat(list.text("kind")).isEqualTo("LeaseList");
        assertThat(list.text("apiVersion")).isEqualTo("coordination.k8s.io/v1");
        assertThat(list.names()).containsExactly("a", "a-b", "b");
    }

    @Test
    default void givenABuiltInKind_whenListed_thenItemsHaveNeitherKindNorVersion() {
        String ns = namespace();
        created(leases(ns), lease("a"));

        assertThat(api().get(leases(ns)).at("/items/0").has("kind")).isFalse();
    }

    @Test
    default void givenAWrite_whenListed_thenTheListIsNotOlder() {
        String ns = namespace();
        long written = Long.parseLong(created(leases(ns), lease("a")).version());

        assertThat(Long.parseLong(api().get(leases(ns)).version())).isGreaterThanOrEqualTo(written);
    }

    @Test
    default void givenTwoWrites_whenCompared_thenVersionsGrow() {
        String ns = namespace();
        long first = Long.parseLong(created(leases(ns), lease("a")).version());
        long second = Long.parseLong(created(leases(ns), lease("b")).version());

        assertThat(second).isGreaterThan(first);
    }

    @Test
    default void givenALimit_whenListed_thenPagesContinueAtOneVersion() {
        String ns = namespace();
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            created(leases(ns), lease(name));
        }
        Reply first = api().get(leases(ns) + "?limit=2");
        assertThat(first.names()).containsExactly("a", "b");
        assertThat(first.at("/metadata/remainingItemCount").longValue()).isEqualTo(3);

        created(leases(ns), lease("bb"));
        api().delete(leases(ns) + "/d");
        Reply second = api().get(leases(ns) + "?limit=2&continue=" + first.text("metadata", "continue"));
        Reply third = api().get(leases(ns) + "?limit=2&continue=" + second.text("metadata", "continue"));

        assertThat(second.names()).containsExactly("c", "d");
        assertThat(second.version()).isEqualTo(first.version());
        assertThat(third.names()).containsExactly("e");
        assertThat(third.version()).isEqualTo(first.version());
        assertThat(third.text("metadata", "continue")).isEmpty();
        assertThat(third.at("/metadata/remainingItemCount").isMissingNode()).isTrue();
    }

    @Test
    default void givenALimitAndASelector_whenListed_thenNoRemainingCount() {
        String ns = namespace();
        for (String name : new String[] {"a", "b", "c"}) {
            created(leases(ns), lease(name, ",'labels':{'x':'y'}"));
        }
        Reply page = api().get(leases(ns) + "?limit=1&labelSelector=x=y");

        assertThat(page.names()).containsExactly("a");
        assertThat(page.text("metadata", "continue")).isNotEmpty();
        assertThat(page.at("/metadata/remainingItemCount").isMissingNode()).isTrue();
    }

    @Test
    default void givenANonsenseContinueToken_whenListed_thenBadRequest() {
        Reply reply = api().get(leases("default") + "?limit=1&continue=abc");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).startsWith("invalid continue token");
    }

    @Test
    default void givenAnExactVersion_whenListed_thenTheStateOfThatMoment() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        String version = created(leases(ns), lease("b")).version();
        created(leases(ns), lease("c"));
        api().delete(leases(ns) + "/a");

        Reply list = api().get(leases(ns) + "?resourceVersion=" + version + "&resourceVersionMatch=Exact");

        assertThat(list.names()).containsExactly("a", "b");
        assertThat(list.version()).isEqualTo(version);
    }

    @Test
    default void givenNotOlderThan_whenListed_thenNewerIsFine() {
        String ns = namespace();
        String version = created(leases(ns), lease("a")).version();
        created(leases(ns), lease("b"));

        Reply list = api().get(leases(ns) + "?resourceVersion=" + version + "&resourceVersionMatch=NotOlderThan");

        assertThat(list.names()).contains("a");
        assertThat(Long.parseLong(list.version())).isGreaterThanOrEqualTo(Long.parseLong(version));
    }

    @Test
    default void givenVersionZero_whenListed_thenAnyState() {
        String ns = namespace();

        assertThat(api().get(leases(ns) + "?resourceVersion=0").code()).isEqualTo(200);
    }

    @Test
    @Waits
    default void givenAVersionOfTheFuture_whenListed_thenTooLarge() {
        Reply reply = api().get(leases("default") + "?resourceVersion=99999999");

        assertThat(reply.code()).isEqualTo(504);
        assertThat(reply.reason()).isEqualTo("Timeout");
        assertThat(reply.message()).startsWith("Timeout: Too large resource version: 99999999, current: ");
        assertThat(reply.causes()).containsExactly("ResourceVersionTooLarge : Too large resource version");
        assertThat(reply.at("/details/retryAfterSeconds").intValue()).isEqualTo(1);
    }

    @Test
    default void givenAVersionThatIsNoNumber_whenListed_thenBadRequest() {
        Reply reply = api().get(leases("default") + "?resourceVersion=abc");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).contains("Invalid value: \"abc\"");
    }

    @Test
    default void givenAMatchWithoutAVersion_whenListed_thenRefused() {
        Reply reply = api().get(leases("default") + "?resourceVersionMatch=Exact");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
                        + "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }

    @Test
    default void givenExactZero_whenListed_thenRefused() {
        Reply reply = api().get(leases("default") + "?resourceVersion=0&resourceVersionMatch=Exact");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }

    @Test
    default void givenLabels_whenSelectedByEquality_thenOnlyMatches() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'labels':{'tier':'web','zone':'1'}"));
        created(leases(ns), lease("b", ",'labels':{'tier':'db'}"));
        created(leases(ns), lease("c"));

        assertThat(api().get(leases(ns) + "?labelSelector=tier=web").names()).containsExactly("a");
        assertThat(api().get(leases(ns) + "?labelSelector=tier!=web").names()).containsExactly("b", "c");
        assertThat(api().get(leases(ns) + "?labelSelector=tier=web,zone=2").names())
                .isEmpty();
    }

    @Test
    default void givenLabels_whenSelectedBySets_thenOnlyMatches() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'labels':{'tier':'web'}"));
        created(leases(ns), lease("b", ",'labels':{'tier':'db'}"));
        created(leases(ns), lease("c"));

        assertThat(api().get(leases(ns) + "?labelSelector=tier in (web,db)").names())
                .containsExactly("a", "b");
        assertThat(api().get(leases(ns) + "?labelSelector=tier notin (web)").names())
                .containsExactly("b", "c");
        assertThat(api().get(leases(ns) + "?labelSelector=tier").names()).containsExactly("a", "b");
        assertThat(api().get(leases(ns) + "?labelSelector=!tier").names()).containsExactly("c");
    }

    @Test
    default void givenAnOpenParenthesis_whenListed_thenBadRequest() {
        Reply reply = api().get(leases("default") + "?labelSelector=a in (b");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).isEqualTo("unable to parse requirement: found '', expected: ',' or ')'");
    }

    @Test
    default void givenNames_whenSelectedByField_thenOnlyMatches() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        created(leases(ns), lease("b"));

        assertThat(api().get(leases(ns) + "?fieldSelector=metadata.name=b").names())
                .containsExactly("b");
        assertThat(api().get(leases(ns) + "?fieldSelector=metadata.name!=b").names())
                .containsExactly("a");
        assertThat(api().get("/apis/coordination.k8s.io/v1/leases?fieldSelector=metadata.namespace=" + ns)
                        .names())
                .containsExactly("a", "b");
    }

    @Test
    default void givenAnUnknownField_whenSelected_thenBadRequest() {
        Reply reply = api().get(leases("default") + "?fieldSelector=foo=bar");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message())
                .isEqualTo("\"foo\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
    }

    @Test
    default void givenNoObject_whenGot_thenNotFoundWithDetails() {
        Reply reply = api().get(leases("default") + "/nothing");

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.body())
                .isEqualTo(Json.parse("{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure','message':"
                                .replace('\'', '"')
                        + "\"leases.coordination.k8s.io \\\"nothing\\\" not found\",\"reason\":\"NotFound\","
                        + "\"details\":{\"name\":\"nothing\",\"group\":\"coordination.k8s.io\",\"kind\":\"leases\"},"
                        + "\"code\":404}"));
    }

    @Test
    default void givenNoSuchResource_whenListed_thenNotFound() {
        Reply reply = api().get("/api/v1/foos");

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.message()).isEqualTo("the server could not find the requested resource");
    }

    @Test
    default void givenNoSuchGroup_whenListed_thenPlainNotFound() {
        Reply reply = api().get("/apis/foo.example.com/v1/bars");

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.body()).isEqualTo(Json.string("404 page not found\n"));
    }

    @Test
    default void givenMetadataOnly_whenListed_thenPartialObjects() {
        String ns = namespace();
        created(leases(ns), lease("a"));

        Reply list = api().get(leases(ns), "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");

        assertThat(list.text("kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.at("/items/0/kind").stringValue()).isEqualTo("PartialObjectMetadata");
        assertThat(list.at("/items/0").has("spec")).isFalse();
        assertThat(list.names()).containsExactly("a");
    }

    @Test
    default void givenATable_whenListed_thenColumnsAndRows() {
        String ns = namespace();
        created(leases(ns), lease("a"));

        Reply table = api().get(leases(ns), "application/json;as=Table;g=meta.k8s.io;v=v1");

        assertThat(table.text("kind")).isEqualTo("Table");
        assertThat(table.at("/columnDefinitions").valueStream().map(c -> Json.text(c, "name")))
                .containsExactly("Name", "Holder", "Age");
        assertThat(table.at("/rows/0/cells/0").stringValue()).isEqualTo("a");
        assertThat(table.at("/rows/0/cells/1").stringValue()).isEqualTo("me");
        assertThat(table.at("/rows/0/object/kind").stringValue()).isEqualTo("PartialObjectMetadata");
    }

    @Test
    default void givenAnUnknownMediaType_whenAsked_thenNotAcceptable() {
        Reply reply = api().get(leases("default"), "application/foo");

        assertThat(reply.code()).isEqualTo(406);
        assertThat(reply.reason()).isEqualTo("NotAcceptable");
    }

    @Test
    default void givenAWrongToken_whenAsked_thenUnauthorized() {
        Reply reply = api().getAs(leases("default"), "nobody");

        assertThat(reply.code()).isEqualTo(401);
        assertThat(reply.reason()).isEqualTo("Unauthorized");
    }

    @Test
    default void givenVersionZeroAndALimit_whenListed_thenAllOfIt() {
        String ns = namespace();
        created(leases(ns), lease("a"));
        String version = created(leases(ns), lease("b")).version();
        // the cache behind such a list may be behind; this waits for it
        api().get(leases(ns) + "?resourceVersion=" + version);

        Reply list = api().get(leases(ns) + "?limit=1&resourceVersion=0");

        assertThat(list.names()).containsExactly("a", "b");
        assertThat(list.text("metadata", "continue")).isEmpty();
    }

    @Test
    default void givenAForgottenVersion_whenListedExactly_thenGone() {
        forgetHistory();

        Reply reply = api().get(widgets("default") + "?resourceVersion=1&resourceVersionMatch=Exact");

        assertThat(reply.code()).isEqualTo(410);
        assertThat(reply.reason()).isEqualTo("Expired");
        assertThat(reply.message()).isEqualTo("The resourceVersion for the provided list is too old.");
    }

    @Test
    default void givenAForgottenPage_whenContinued_thenGoneWithATokenForTheRest() {
        String ns = namespace();
        for (String name : new String[] {"a", "b", "c"}) {
            created(widgets(ns), widget(name, "'replicas':1"));
        }
        forgetHistory();

        Reply reply = api().get(widgets(ns) + "?limit=2&continue=" + token("meta.k8s.io/v1", 1, "a\0"));
        Reply rest = api().get(widgets(ns) + "?continue=" + reply.text("metadata", "continue"));

        assertThat(reply.code()).isEqualTo(410);
        assertThat(reply.reason()).isEqualTo("Expired");
        assertThat(reply.message()).startsWith("The provided continue parameter is too old to display a consistent");
        assertThat(rest.names()).containsExactly("b", "c");
    }

    /**
     * Lets positions that are no newer than 1 be forgotten, so that 410 can be seen; of custom resources at least, because
     * a real server may have the first states of built-in kinds in its cache.
     */
    void forgetHistory();

    private static String token(String version, long revision, String start) {
        ObjectNode token = Json.object().put("v", version).put("rv", revision).put("start", start);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x | 5 | a | server does not recognize this encoded version x",
                "meta.k8s.io/v1 | 0 | a | incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
                "meta.k8s.io/v1 | 5 | '' | encoded start key empty (version meta.k8s.io/v1)",
                "meta.k8s.io/v1 | 5 | ../x | ../x",
            })
    default void givenAMadeUpContinueToken_whenListed_thenBadRequest(
            String version, long revision, String start, String complaint) {
        Reply reply = api().get(leases("default") + "?limit=1&continue=" + token(version, revision, start));

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).isEqualTo("invalid continue token: continue key is not valid: " + complaint);
    }

    @Test
    default void givenAContinueTokenAndAVersion_whenListed_thenBadRequest() {
        String token = token("meta.k8s.io/v1", -1, "a");

        assertThat(api().get(leases("default") + "?resourceVersion=5&continue=" + token)
                        .message())
                .isEqualTo("specifying resource version is not allowed when using continue");
        assertThat(api().get(leases("default") + "?resourceVersion=0&continue=" + token)
                        .code())
                .isEqualTo(200);
    }

    @Test
    @Waits
    default void givenAContinueTokenOfTheFuture_whenListed_thenTooLarge() {
        Reply reply = api().get(leases("default") + "?limit=1&continue=" + token("meta.k8s.io/v1", 99999999, "a"));

        assertThat(reply.code()).isEqualTo(504);
        assertThat(reply.causes()).containsExactly("ResourceVersionTooLarge : Too large resource version");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=abc | 400 | strconv.ParseInt: parsing \"abc\": invalid syntax",
                "timeoutSeconds=abc | 400 | strconv.ParseInt: parsing \"abc\": invalid syntax",
                "resourceVersion=5&resourceVersionMatch=Foo | 422 | ListOptions.meta.k8s.io \"\" is invalid:"
                        + " resourceVersionMatch: Unsupported value: \"Foo\": supported values: \"Exact\","
                        + " \"NotOlderThan\", \"\"",
                "sendInitialEvents=true | 422 | ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden:"
                        + " sendInitialEvents is forbidden for list",
                "continue=x&resourceVersionMatch=Exact | 422 | ListOptions.meta.k8s.io \"\" is invalid:"
                        + " [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion"
                        + " is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when"
                        + " continue is provided]",
            })
    default void givenOptionsThatDoNotFit_whenListed_thenRefused(String options, int code, String message) {
        Reply reply = api().get(leases("default") + "?" + options);

        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.message()).isEqualTo(message);
    }

    @Test
    default void givenAVersionThatIsNoNumber_whenGot_thenError() {
        Reply reply = api().get(leases("default") + "/a?resourceVersion=abc");

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message())
                .isEqualTo(
                        "resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid syntax");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ",|found ',', expected: !, identifier, or 'end of string'",
                "a b|unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
                "a=b c|found 'c', expected: ',' or 'end of string'",
                "a,|found '', expected: identifier after ','",
                "a in b|unable to parse requirement: found 'b' expected: '('",
                "a in (|unable to parse requirement: found '', expected: ',', ')' or identifier",
                "a in (b c)|unable to parse requirement: found 'c', expected: ',' or ')'",
                "a=(|unable to parse requirement: found '(', expected: identifier",
            })
    default void givenABrokenLabelSelector_whenListed_thenTheComplaintSaysWhere(String selector, String complaint) {
        Reply reply = api().get(leases("default") + "?labelSelector=" + selector);

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).isEqualTo(complaint);
    }

    @Test
    default void givenALabelThatCannotBe_whenSelected_thenBadRequest() {
        assertThat(api().get(leases("default") + "?labelSelector=-a").message())
                .startsWith("unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of");
        assertThat(api().get(leases("default") + "?labelSelector=a=%25").message())
                .startsWith("unable to parse requirement: values[0][a]: Invalid value: \"%\": a valid label must be");
    }

    @Test
    default void givenLabels_whenSelectedInOtherWays_thenOnlyMatches() {
        String ns = namespace();
        created(leases(ns), lease("a", ",'labels':{'n':'5','in':'x'}"));
        created(leases(ns), lease("b", ",'labels':{'n':''}"));
        created(leases(ns), lease("c"));
        String selected = leases(ns) + "?labelSelector=";

        assertThat(api().get(selected + "n%3E4").names()).containsExactly("a");
        assertThat(api().get(selected + "n%3C4").names()).isEmpty();
        assertThat(api().get(selected + "n=").names()).containsExactly("b");
        assertThat(api().get(selected + "n in ()").names()).containsExactly("b");
        assertThat(api().get(selected + "n in (5,)").names()).containsExactly("a", "b");
        assertThat(api().get(selected + "n,!in").names()).containsExactly("b");
        assertThat(api().get(selected + "in=x").names()).containsExactly("a");
        assertThat(api().get(selected + "n==5").names()).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "/apis/apiextensions.k8s.io/v1/namespaces/default/customresourcedefinitions",
        "/api/v1/namespaces/default/nodes/none",
        "/api/v1/pods/none",
        "/api/v9/pods",
        "/apis/coordination.k8s.io/v9/leases",
        "/apis/coordination.k8s.io/v9",
    })
    default void givenAPathThatDoesNotFitItsGroup_whenAsked_thenNotFoundWithAStatus(String path) {
        Reply reply = api().get(path);

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.message()).isEqualTo("the server could not find the requested resource");
    }

    @ParameterizedTest
    @CsvSource({
        "/apis/test.evenkeel.io/v9/widgets",
        "/apis/test.evenkeel.io/v1/namespaces/default/gizmos",
        "/apis/test.evenkeel.io/v1/widgets/none",
        "/livez/none",
    })
    default void givenAPathOfNothing_whenAsked_thenPlainNotFound(String path) {
        Reply reply = api().get(path);

        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.body()).isEqualTo(Json.string("404 page not found\n"));
    }

    @Test
    default void givenAHeadRequest_whenSent_thenOnlyDocumentsAnswerIt() {
        assertThat(api().head("/readyz").code()).isEqualTo(200);
        assertThat(api().head("/apis").code()).isEqualTo(200);
        assertThat(api().head("/version").code()).isEqualTo(405);
        assertThat(api().head(leases("default")).code()).isEqualTo(405);
    }
}
