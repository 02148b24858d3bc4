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
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers get and list, with the documented meaning of resourceVersion, limit and continue. */
final class Reader {
    private final Store store;
    private final Clock clock;

    Reader(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    byte[] get(Call call, ApiRequest request) {
        checkNotTooNew(request);
        Stored stored = store.find(call.resource().storage(), call.key())
                .orElseThrow(() -> ApiFailure.notFound(call.resource().type(), call.name()));
        return new Shower(call.resource(), request.form(), clock).single(stored, true);
    }

    private void checkNotTooNew(ApiRequest request) {
        long wanted = version(request.parameter("resourceVersion"));
        long current = store.revision();
        if (wanted > current) {
            throw ApiFailure.tooLargeResourceVersion(wanted, current);
        }
    }

    private static long version(String text) {
        try {
            return text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("invalid resource version: resourceVersion: Invalid value: \"" + text
                    + "\": strconv.ParseUint: parsing \"" + text + "\": invalid syntax");
        }
    }

    byte[] list(Call call, ApiRequest request) {
        Selector selector =
                Selector.parse(request.parameter("labelSelector"), request.parameter("fieldSelector"), call.resource());
        checkListOptions(request);
        String prefix = prefix(call);
        Page page = page(call, request, prefix);
        long limit = request.number("limit").orElse(0L);
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
            return continued(call, token, prefix);
        }
        String version = request.parameter("resourceVersion");
        long wanted = version(version);
        String match = request.parameter("resourceVersionMatch");
        boolean exact = match.equals("Exact")
                || (match.isEmpty() && wanted > 0 && request.number("limit").orElse(0L) > 0);
        checkNotTooNew(request);
        Store.Slice slice = exact
                ? store.listAt(call.resource().storage(), prefix, wanted)
                : store.list(call.resource().storage(), prefix);
        if (slice.expired()) {
            throw ApiFailure.expired("");
        }
        return new Page(slice.revision(), slice.objects());
    }

    private Page continued(Call call, String token, String prefix) {
        JsonNode decoded;
        try {
            decoded = Json.parse(Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException | JacksonException e) {
            throw ApiFailure.badRequest("invalid continue token: continue key is not valid: " + Decoder.firstLine(e));
        }
        long revision = Json.number(decoded, 0, "rv");
        String after = prefix + Json.text(decoded, "start");
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
        ObjectNode token = Json.object().put("v", "meta.k8s.io/v1").put("rv", revision);
        token.put("start", lastKey.substring(prefix.length()) + "\0");
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
    }

    static void checkListOptions(ApiRequest request) {
        String version = request.parameter("resourceVersion");
        String match = request.parameter("resourceVersionMatch");
        boolean continued = !request.parameter("continue").isEmpty();
        if (request.query().containsKey("sendInitialEvents") && !request.flag("watch")) {
            throw refused(Violation.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        if (continued && !version.isEmpty() && !version.equals("0")) {
            throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
        }
        if (match.isEmpty()) {
            return;
        }
        if (continued) {
            throw refused(
                    Violation.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden with continue"));
        }
        if (version.isEmpty()) {
            throw refused(Violation.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw refused(new Violation(
                    "FieldValueNotSupported",
                    "resourceVersionMatch",
                    "Unsupported value: \"" + match + "\": supported values: \"Exact\", \"NotOlderThan\", \"\""));
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw refused(Violation.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
    }

    static ApiFailure refused(Violation violation) {
        return ApiFailure.invalid("meta.k8s.io", "ListOptions", "", List.of(violation));
    }

    Optional<Stored> find(Call call) {
        return store.find(call.resource().storage(), call.key());
    }
}
