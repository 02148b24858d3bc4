package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers get and list, with the documented meaning of resourceVersion, limit and continue. */
final class Reader {
    static final Violation MATCH_WITH_CONTINUE =
            Violation.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");

    private static final String TOKEN_VERSION = "meta.k8s.io/v1";
    private static final Set<String> NO_SEGMENTS = Set.of("", ".", "..");

    private final Store store;
    private final Clock clock;

    Reader(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    byte[] get(Call call, ApiRequest request) {
        checkNotTooNew(version(request, ApiFailure::internal));
        Stored stored = store.find(call.resource().storage(), call.key())
                .orElseThrow(() -> ApiFailure.notFound(call.resource().type(), call.name()));
        return new Shower(call.resource(), request.form(), clock).single(stored, true);
    }

    private void checkNotTooNew(long wanted) {
        long current = store.revision();
        if (wanted > current) {
            throw ApiFailure.tooLargeResourceVersion(wanted, current);
        }
    }

    /** A resourceVersion as a number, 0 if it is absent; {@code refusal} makes of the complaint what is answered. */
    static long version(ApiRequest request, Function<String, ApiFailure> refusal) {
        String text = request.parameter("resourceVersion");
        try {
            long version = text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
            return version < 0 ? Long.MAX_VALUE : version; // no store grows as far as the second half of the numbers
        } catch (NumberFormatException e) {
            throw refusal.apply("resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
                    + "\": invalid syntax");
        }
    }

    byte[] list(Call call, ApiRequest request) {
        Selector selector =
                Selector.parse(request.parameter("labelSelector"), request.parameter("fieldSelector"), call.resource());
        checkListOptions(request);
        String prefix = prefix(call);
        Page page = page(call, request, prefix);
        // A list from "0" on comes whole: a real server answers it out of its cache, which knows no pages.
        boolean whole = request.parameter("resourceVersion").equals("0")
                && request.parameter("continue").isEmpty();
        long limit = whole ? 0 : request.number("limit").orElse(0L);
        List<Stored> shown = new ArrayList<>();
        int at = 0;
        for (; at < page.objects().size() && (limit <= 0 || shown.size() < limit); at++) {
            Stored stored = page.objects().get(at);
            if (selector.matchesAll() || selector.matches(Bodies.open(call.resource(), stored))) {
                shown.add(stored);
            }
        }
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.revision()));
        int remaining = page.objects().size() - at;
        if (remaining > 0 && hasMatch(call, selector, page.objects(), at)) {
            metadata.put(
                    "continue",
                    token(page.revision(), page.objects().get(at - 1).key(), prefix));
            if (selector.matchesAll()) {
                metadata.put("remainingItemCount", remaining);
            }
        } else if (!call.resource().builtIn()) {
            metadata.put("continue", "");
        }
        return new Shower(call.resource(), request.form(), clock).list(metadata, shown);
    }

    private static boolean hasMatch(Call call, Selector selector, List<Stored> objects, int from) {
        return selector.matchesAll()
                || objects.subList(from, objects.size()).stream()
                        .anyMatch(stored -> selector.matches(Bodies.open(call.resource(), stored)));
    }

    static String prefix(Call call) {
        return call.namespace().isEmpty() ? "" : call.namespace() + "/";
    }

    private record Page(long revision, List<Stored> objects) {}

    private Page page(Call call, ApiRequest request, String prefix) {
        String token = request.parameter("continue");
        if (!token.isEmpty()) {
            return continued(call, request, prefix);
        }
        long wanted = version(request, why -> ApiFailure.badRequest("invalid resource version: " + why));
        String match = request.parameter("resourceVersionMatch");
        boolean exact = match.equals("Exact")
                || (match.isEmpty() && wanted > 0 && request.number("limit").orElse(0L) > 0);
        checkNotTooNew(wanted);
        Store.Slice slice = exact
                ? store.listAt(call.resource().storage(), prefix, wanted)
                : store.list(call.resource().storage(), prefix);
        if (slice.expired()) {
            throw ApiFailure.expired("");
        }
        return new Page(slice.revision(), slice.objects());
    }

    /** Where a list goes on: at the first key from {@code start} on, relative to the collection. */
    private record Position(long revision, String start) {}

    private static Position position(String token) {
        JsonNode decoded;
        try {
            decoded = Json.parse(Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException | JacksonException e) {
            throw badToken(Decoder.firstLine(e));
        }
        String version = Json.text(decoded, "v");
        Position position = new Position(Json.number(decoded, 0, "rv"), Json.text(decoded, "start"));
        if (!version.equals(TOKEN_VERSION)) {
            throw badToken("server does not recognize this encoded version " + version);
        }
        if (position.revision() == 0) {
            throw badToken("incorrect encoded start resourceVersion (version " + TOKEN_VERSION + ")");
        }
        if (position.start().isEmpty()) {
            throw badToken("encoded start key empty (version " + TOKEN_VERSION + ")");
        }
        if (Arrays.stream(position.start().split("/", -1)).anyMatch(NO_SEGMENTS::contains)) {
            throw badToken(position.start());
        }
        return position;
    }

    private static ApiFailure badToken(String why) {
        return ApiFailure.badRequest("invalid continue token: continue key is not valid: " + why);
    }

    private Page continued(Call call, ApiRequest request, String prefix) {
        Position position = position(request.parameter("continue"));
        String version = request.parameter("resourceVersion");
        if (!version.isEmpty() && !version.equals("0")) {
            throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
        }
        long revision = position.revision();
        checkNotTooNew(revision);
        String after = prefix + position.start();
        Store.Slice slice = revision < 0
                ? store.list(call.resource().storage(), prefix)
                : store.listAt(call.resource().storage(), prefix, revision);
        if (slice.expired()) {
            throw ApiFailure.expired(token(-1, after.substring(0, after.length() - 1), prefix));
        }
        List<Stored> rest = slice.objects().stream()
                .filter(stored -> stored.key().compareTo(after) >= 0)
                .toList();
        return new Page(slice.revision(), rest);
    }

    /** A token in the form of a real server: where to go on, just behind the last key that was shown. */
    private static String token(long revision, String lastKey, String prefix) {
        ObjectNode token = Json.object().put("v", TOKEN_VERSION).put("rv", revision);
        token.put("start", lastKey.substring(prefix.length()) + "\0");
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void checkListOptions(ApiRequest request) {
        String version = request.parameter("resourceVersion");
        String match = request.parameter("resourceVersionMatch");
        boolean continued = !request.parameter("continue").isEmpty();
        List<Violation> violations = new ArrayList<>();
        if (!match.isEmpty()) {
            if (version.isEmpty()) {
                violations.add(Violation.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (continued) {
                violations.add(MATCH_WITH_CONTINUE);
            }
            if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
                violations.add(unsupportedMatch(match, "\"Exact\", \"NotOlderThan\", \"\""));
            }
            if (match.equals("Exact") && version.equals("0")) {
                violations.add(Violation.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (request.query().containsKey("sendInitialEvents")) {
            violations.add(Violation.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        refuse(violations);
        request.number("timeoutSeconds").ifPresent(seconds -> {}); // only so that nonsense is refused
    }

    static Violation unsupportedMatch(String match, String supported) {
        return new Violation(
                "FieldValueNotSupported",
                "resourceVersionMatch",
                "Unsupported value: \"" + match + "\": supported values: " + supported);
    }

    static void refuse(List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw ApiFailure.invalid("meta.k8s.io", "ListOptions", "", violations);
        }
    }

    Optional<Stored> find(Call call) {
        return store.find(call.resource().storage(), call.key());
    }
}
