package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.BuiltIns;
import io.evenkeel.sandbox.kube.api.Catalog;
import io.evenkeel.sandbox.kube.api.Discovery;
import io.evenkeel.sandbox.kube.api.OpenApi;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.merge.PatchFailure;
import io.evenkeel.sandbox.kube.schema.Protobuf;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds out what a request asks and who answers it. */
final class Router {
    private static final List<String> CUSTOM_PATCHES =
            List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");
    private static final List<String> PATCHES = List.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml");

    /**
     * kubectl insists on such a document before it sends a List, and checks no kind that is not in it. The type is asked for
     * with an at sign, which no media type may have, and answered with a point.
     */
    private static final String OPENAPI_V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    /** A document with nothing but its version: the text 2.0 as field 1. */
    private static final byte[] EMPTY_OPENAPI_V2 = {(1 << 3) | 2, 3, '2', '.', '0'};

    private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");

    private final Store store;
    private final Catalog catalog;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final Writer writer;
    private final Deleter deleter;
    private final Reader reader;
    private final Watches watches;
    private final Scales scales;
    private final Reviews reviews = new Reviews();
    private final Set<String> failingReads = ConcurrentHashMap.newKeySet();

    Router(
            Store store,
            Catalog catalog,
            CustomDefinitions definitions,
            Writer writer,
            Deleter deleter,
            Reader reader,
            Watches watches) {
        this.store = store;
        this.catalog = catalog;
        this.discovery = new Discovery(catalog);
        this.openApi = new OpenApi(catalog, definitions::schema);
        this.writer = writer;
        this.deleter = deleter;
        this.reader = reader;
        this.watches = watches;
        this.scales = new Scales(writer);
    }

    Optional<Watch> watch(ApiRequest request) {
        if (!request.method().equals("GET") || !request.flag("watch")) {
            return Optional.empty();
        }
        return call(request)
                .filter(call -> call.subresource().isEmpty())
                .map(call -> allowed(call, request, "watch"))
                .map(call -> watches.start(onlyNamed(call), onlyNamed(call, request)));
    }

    private static Call onlyNamed(Call call) {
        return call.named("");
    }

    /** A watch of one object is a watch of its collection with a field selector. */
    private static ApiRequest onlyNamed(Call call, ApiRequest request) {
        if (call.name().isEmpty()) {
            return request;
        }
        java.util.Map<String, String> query = new java.util.HashMap<>(request.query());
        query.put("fieldSelector", "metadata.name=" + call.name());
        return new ApiRequest(
                request.method(),
                request.path(),
                query,
                request.accept(),
                request.contentType(),
                request.userAgent(),
                request.body(),
                request.user());
    }

    ApiResponse handle(ApiRequest request) {
        Optional<Call> call = call(request);
        if (call.isPresent()) {
            if (!request.acceptsJson()) {
                throw ApiFailure.notAcceptable();
            }
            return operate(call.get(), request);
        }
        return document(request);
    }

    /** The object or collection that the path names; empty if it names a document of the server. */
    private Optional<Call> call(ApiRequest request) {
        List<String> path = request.path();
        boolean core = !path.isEmpty() && path.getFirst().equals("api");
        boolean grouped = !path.isEmpty() && path.getFirst().equals("apis");
        int start = core ? 2 : 3;
        if (!(core || grouped) || path.size() <= start) {
            return Optional.empty();
        }
        String group = core ? "" : path.get(1);
        String version = path.get(start - 1);
        List<String> rest = new ArrayList<>(path.subList(start, path.size()));
        if (rest.getFirst().equals("watch")) {
            throw ApiFailure.notSimulated("the deprecated path /watch/");
        }
        String namespace = "";
        boolean inNamespace = rest.size() >= 3
                && rest.getFirst().equals("namespaces")
                && !(core && (rest.get(2).equals("status") || rest.get(2).equals("finalize")));
        if (inNamespace) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 ? rest.get(2) : "";
        checkSimulated(group, version, rest.getFirst(), subresource);
        Optional<Resource> found = catalog.find(group, version, rest.getFirst());
        boolean fits = found.isPresent()
                && rest.size() <= 3
                && (found.get().namespaced() ? inNamespace || rest.size() == 1 : !inNamespace)
                && (subresource.isEmpty() || found.get().subresources().containsKey(subresource));
        if (!fits) {
            if (BuiltIns.hasGroup(group)) {
                throw ApiFailure.noSuchResource();
            }
            return Optional.empty();
        }
        Resource resource = found.get();
        Call.Options options = Call.Options.of(request, optionsKind(request.method()));
        return Optional.of(new Call(resource, namespace, name, subresource, options));
    }

    private static void checkSimulated(String group, String version, String plural, String subresource) {
        String name = subresource.isEmpty() ? plural : plural + "/" + subresource;
        if (BuiltIns.leavesOut(group, version, plural) || BuiltIns.leavesOut(group, version, name)) {
            throw ApiFailure.notSimulated(group.isEmpty() ? name : name + " of " + group);
        }
    }

    private static String optionsKind(String method) {
        return switch (method) {
            case "POST" -> "CreateOptions";
            case "PUT" -> "UpdateOptions";
            case "PATCH" -> "PatchOptions";
            default -> "DeleteOptions";
        };
    }

    private ApiResponse operate(Call call, ApiRequest request) {
        boolean collection = call.name().isEmpty();
        checkVerb(call, verb(request, collection));
        allowed(call, request, verb(request, collection));
        checkPatchType(call, request);
        if (call.subresource().equals("scale")) {
            return scales.handle(call, request);
        }
        return switch (request.method()) {
            case "GET" ->
                answer(
                        call,
                        ApiResponse.json(200, collection ? reader.list(call, request) : reader.get(call, request)));
            case "POST" -> create(call, request);
            case "PUT" ->
                written(call, request, writer.update(call, request.body().bytes(), request.contentType()));
            case "PATCH" -> patch(call, request);
            case "DELETE" -> collection ? deleteAll(call, request) : delete(call, request);
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private static String verb(ApiRequest request, boolean collection) {
        return switch (request.method()) {
            case "GET" -> collection ? "list" : "get";
            case "POST" -> collection ? "create" : "none";
            case "PUT" -> collection ? "none" : "update";
            case "PATCH" -> collection ? "none" : "patch";
            case "DELETE" -> collection ? "deletecollection" : "delete";
            default -> "none";
        };
    }

    /** Refuses what the user may not do, and reads that are switched to fail. */
    private Call allowed(Call call, ApiRequest request, String verb) {
        ObjectType type = call.resource().type();
        String resource = type + (call.subresource().isEmpty() ? "" : "/" + call.subresource());
        if (!request.user().may(verb, resource, call.namespace()) && !asksAboutItself(type, request.user())) {
            String scope = call.namespace().isEmpty()
                    ? "at the cluster scope"
                    : "in the namespace \"" + call.namespace() + "\"";
            String shown = type.plural() + (call.subresource().isEmpty() ? "" : "/" + call.subresource());
            throw ApiFailure.forbidden(
                    type,
                    call.name(),
                    "User \"" + request.user().name() + "\" cannot " + verb + " resource \"" + shown
                            + "\" in API group \"" + type.group() + "\" " + scope);
        }
        if (failingReads.contains(type.toString())
                && List.of("get", "list", "watch").contains(verb)) {
            throw ApiFailure.internalError(
                    "conversion webhook for " + call.resource().apiVersion() + ", Kind="
                            + call.resource().kind() + " failed: connection refused");
        }
        return call;
    }

    /** What the role system:basic-user of a real server allows to all who have a token. */
    private static boolean asksAboutItself(ObjectType type, User user) {
        return type.plural().startsWith("selfsubject")
                && type.group().endsWith(".k8s.io")
                && !user.equals(User.ANONYMOUS);
    }

    void failReads(String resource, boolean failing) {
        if (failing) {
            failingReads.add(resource);
        } else {
            failingReads.remove(resource);
        }
    }

    private static void checkVerb(Call call, String verb) {
        List<String> verbs = call.subresource().isEmpty()
                ? call.resource().verbs()
                : java.util.Objects.requireNonNull(
                                call.resource().subresources().get(call.subresource()))
                        .verbs();
        if (!verbs.contains(verb)) {
            throw ApiFailure.methodNotAllowed();
        }
    }

    private ApiResponse answer(Call call, ApiResponse response) {
        String warning = call.resource().traits().warning();
        return warning.isEmpty() ? response : response.withWarnings(List.of(warning));
    }

    private ApiResponse written(Call call, ApiRequest request, Written written) {
        byte[] body = new Shower(call.resource(), request.form(), java.time.Clock.systemUTC()).single(written.object());
        return answer(call, ApiResponse.json(written.code(), body).withWarnings(written.warnings()));
    }

    private ApiResponse create(Call call, ApiRequest request) {
        if (!call.resource().verbs().contains("get")) {
            return reviews.create(call, request);
        }
        return written(call, request, writer.create(call, request.body().bytes(), request.contentType()));
    }

    private static void checkPatchType(Call call, ApiRequest request) {
        List<String> accepted = call.resource().builtIn() ? PATCHES : CUSTOM_PATCHES;
        if (request.method().equals("PATCH") && !accepted.contains(request.mediaType())) {
            throw ApiFailure.unsupportedMediaType(accepted);
        }
    }

    private ApiResponse patch(Call call, ApiRequest request) {
        String type = request.mediaType();
        try {
            if (type.equals("application/apply-patch+yaml")) {
                return written(call, request, apply(call, request));
            }
            if (!call.options().dryRun() && reader.find(call).isEmpty()) {
                throw ApiFailure.notFound(call.resource().type(), call.name());
            }
            JsonNode patch = Json.parse(request.body().bytes());
            Writer.PatchType patchType = switch (type) {
                case "application/json-patch+json" -> Writer.PatchType.JSON;
                case "application/merge-patch+json" -> Writer.PatchType.MERGE;
                default -> Writer.PatchType.STRATEGIC;
            };
            return written(call, request, writer.patch(call, patchType, patch));
        } catch (PatchFailure failure) {
            throw failure.isMalformed()
                    ? ApiFailure.badRequest(String.valueOf(failure.getMessage()))
                    : ApiFailure.unprocessable();
        } catch (JacksonException e) {
            throw ApiFailure.badRequest("error decoding patch: " + Decoder.firstLine(e));
        }
    }

    private Written apply(Call call, ApiRequest request) {
        if (!call.options().managerNamed()) {
            throw ApiFailure.invalid(
                    "meta.k8s.io",
                    "PatchOptions",
                    "",
                    List.of(io.evenkeel.sandbox.kube.schema.Violation.required(
                            "fieldManager", "is required for apply patch")));
        }
        if (!(Json.parseYaml(request.body().bytes()) instanceof ObjectNode config)) {
            throw ApiFailure.badRequest("error decoding YAML: not an object");
        }
        String kind = Json.text(config, "kind");
        String version = Json.text(config, "apiVersion");
        if (!kind.equals(call.resource().kind())
                || !version.equals(call.resource().apiVersion())) {
            int slash = version.indexOf('/');
            String shown = slash < 0 ? "/" + version : version.replace("/", "/");
            throw ApiFailure.badRequest("invalid object type: " + shown + ", Kind=" + kind);
        }
        String name = Json.text(config, "metadata", "name");
        String named = Json.text(config, "metadata", "namespace") + "/" + name;
        if (!name.isEmpty() && !name.equals(call.name())) {
            throw ApiFailure.otherName(name, call.name());
        }
        String namespace = Json.text(config, "metadata", "namespace");
        if (call.resource().namespaced() && !namespace.isEmpty() && !namespace.equals(call.namespace())) {
            throw ApiFailure.otherNamespace();
        }
        Json.metadata(config).put("name", call.name());
        if (call.resource().namespaced()) {
            Json.metadata(config).put("namespace", call.namespace());
        }
        return writer.apply(call, config, named);
    }

    private static ObjectNode deleteOptions(ApiRequest request) {
        ObjectNode options = Json.object();
        try {
            if (request.contentType().contains("protobuf") && !request.body().isEmpty()) {
                options = Protobuf.read(request.body().bytes(), "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
            } else if (!request.body().isEmpty()
                    && Json.parseYaml(request.body().bytes()) instanceof ObjectNode given) {
                options = given;
            }
        } catch (JacksonException | IllegalArgumentException e) {
            throw ApiFailure.badRequest("cannot decode delete options: " + Decoder.firstLine(e));
        }
        if (!request.parameter("propagationPolicy").isEmpty()) {
            options.put("propagationPolicy", request.parameter("propagationPolicy"));
        }
        if (request.number("gracePeriodSeconds").isPresent()) {
            options.put(
                    "gracePeriodSeconds", request.number("gracePeriodSeconds").get());
        }
        return options;
    }

    private static Call withDryRun(Call call, ObjectNode deleteOptions) {
        boolean dry = deleteOptions
                .path("dryRun")
                .valueStream()
                .anyMatch(value -> Json.plain(value).equals("All"));
        Call.Options o = call.options();
        return dry
                ? new Call(
                        call.resource(),
                        call.namespace(),
                        call.name(),
                        call.subresource(),
                        new Call.Options(true, o.manager(), o.managerNamed(), o.fieldValidation(), o.force()))
                : call;
    }

    private ApiResponse delete(Call call, ApiRequest request) {
        ObjectNode options = deleteOptions(request);
        Deleter.Outcome outcome = deleter.delete(withDryRun(call, options), Deleter.Demand.of(options));
        if (!outcome.gone() || call.resource().traits().shownWhenDeleted()) {
            return ApiResponse.json(
                    200,
                    new Shower(call.resource(), request.form(), java.time.Clock.systemUTC()).single(outcome.object()));
        }
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.set("metadata", Json.object());
        status.put("status", "Success");
        ObjectNode details = Json.object().put("name", call.name());
        if (!call.resource().type().group().isEmpty()) {
            details.put("group", call.resource().type().group());
        }
        details.put("kind", call.resource().type().plural());
        details.put("uid", Json.text(outcome.object(), "metadata", "uid"));
        status.set("details", details);
        return ApiResponse.json(200, status);
    }

    private ApiResponse deleteAll(Call call, ApiRequest request) {
        ObjectNode options = deleteOptions(request);
        Deleter.Demand demand = Deleter.Demand.of(options);
        Call effective = withDryRun(call, options);
        JsonNode list = Json.parse(reader.list(
                call,
                new ApiRequest(
                        "GET",
                        request.path(),
                        request.query(),
                        "application/json",
                        "",
                        "",
                        ApiRequest.Body.EMPTY,
                        request.user())));
        ArrayNode deleted = Json.array();
        for (JsonNode item : list.path("items")) {
            Call one = new Call(
                    call.resource(),
                    Json.text(item, "metadata", "namespace"),
                    Json.text(item, "metadata", "name"),
                    "",
                    effective.options());
            try {
                deleted.add(deleter.delete(one, demand).object());
            } catch (ApiFailure failure) {
                if (failure.code() != 404) {
                    throw failure;
                }
                // Somebody else was quicker: it is gone, which is all that was asked.
            }
        }
        ObjectNode answer = Json.object()
                .put("kind", call.resource().listKind())
                .put("apiVersion", call.resource().apiVersion());
        answer.set("metadata", Json.object().put("resourceVersion", Long.toString(store.revision())));
        answer.set("items", deleted);
        return ApiResponse.json(200, answer);
    }

    private ApiResponse document(ApiRequest request) {
        List<String> path = request.path();
        String first = path.isEmpty() ? "" : path.getFirst();
        boolean read = request.method().equals("GET")
                || (request.method().equals("HEAD") && !first.equals("version"))
                || HEALTH.contains(first);
        if (request.user().equals(User.ANONYMOUS) && !HEALTH.contains(first) && !first.equals("version")) {
            throw ApiFailure.forbiddenPath(
                    request.user().name(), request.method().toLowerCase(Locale.ROOT), "/" + String.join("/", path));
        }
        if (!read) {
            throw ApiFailure.methodNotAllowed();
        }
        boolean aggregated = request.accept().contains("as=APIGroupDiscoveryList")
                && request.accept().contains("v=v2;");
        boolean aggregatedLast = request.accept().contains("v=v2,")
                || request.accept().endsWith("v=v2")
                || request.accept().contains("v=v2;");
        return switch (first) {
            case "healthz", "livez", "readyz" ->
                path.size() == 1 || path.get(1).equals("ping") ? ApiResponse.text(200, "ok") : notFound();
            case "metrics", ".well-known" -> throw ApiFailure.notSimulated("/" + first);
            case "version" -> ApiResponse.json(200, Discovery.version());
            case "api" ->
                path.size() == 1
                        ? discover(request, aggregated || aggregatedLast, true)
                        : found(discovery.resources("", path.get(1)), "");
            case "apis" ->
                switch (path.size()) {
                    case 1 -> discover(request, aggregated || aggregatedLast, false);
                    case 2 -> found(discovery.groupDocument(path.get(1)), path.get(1));
                    case 3 -> found(discovery.resources(path.get(1), path.get(2)), path.get(1));
                    default -> notFound();
                };
            case "openapi" ->
                path.equals(List.of("openapi", "v2")) && request.accept().contains(OPENAPI_V2_PROTOBUF)
                        ? new ApiResponse(200, OPENAPI_V2_PROTOBUF.replace('@', '.'), EMPTY_OPENAPI_V2, List.of())
                        : openApi(path);
            case "" -> ApiResponse.json(200, paths());
            default -> notFound();
        };
    }

    private ApiResponse discover(ApiRequest request, boolean v2, boolean core) {
        if (v2 && request.accept().contains("as=APIGroupDiscoveryList")) {
            return new ApiResponse(
                    200,
                    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
                    Json.bytes(discovery.aggregated(core)),
                    List.of());
        }
        return ApiResponse.json(200, core ? discovery.legacyVersions("127.0.0.1") : discovery.groups());
    }

    private static ApiResponse found(Optional<ObjectNode> document, String group) {
        if (document.isEmpty() && BuiltIns.hasGroup(group)) {
            throw ApiFailure.noSuchResource();
        }
        return document.map(body -> ApiResponse.json(200, body)).orElseGet(Router::notFound);
    }

    private static ApiResponse notFound() {
        return ApiResponse.text(404, "404 page not found\n");
    }

    private ApiResponse openApi(List<String> path) {
        if (path.size() < 2 || !path.get(1).equals("v3")) {
            return notFound();
        }
        if (path.size() == 2) {
            return ApiResponse.json(200, openApi.index());
        }
        if (path.size() == 4 && path.get(2).equals("api")) {
            return schemas("", path.get(3));
        }
        return path.size() == 5 ? schemas(path.get(3), path.get(4)) : notFound();
    }

    private ApiResponse schemas(String group, String version) {
        return openApi.document(group, version)
                .map(body -> ApiResponse.json(200, body))
                .orElseGet(() -> ApiResponse.text(404, ""));
    }

    private ObjectNode paths() {
        ArrayNode paths = Json.array();
        paths.add("/api").add("/api/v1").add("/apis");
        catalog.groups()
                .forEach((group, versions) -> versions.forEach(version -> {
                    if (!group.isEmpty()) {
                        paths.add("/apis/" + group + "/" + version);
                    }
                }));
        paths.add("/healthz").add("/livez").add("/openapi/v3").add("/readyz").add("/version");
        ObjectNode root = Json.object();
        root.set("paths", paths);
        return root;
    }

    /** The state of an object as stored, for tools that look behind the API. */
    Optional<Stored> stored(Call call) {
        return reader.find(call);
    }
}
