package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills the cells of a table. A column's expression is a JSONPath ({@code .spec.replicas}), a text with paths in it
 * ({@code {.status.ready|0}/{.spec.replicas}}, a default behind the bar), or a named function of the object
 * ({@code @age .metadata.creationTimestamp}). Stateless.
 */
public final class Tables {
    private static final Pattern HOLE = Pattern.compile("\\{([^}|]+)(?:\\|([^}]*))?}");

    private Tables() {}

    public static ObjectNode definitions(List<Resource.Column> columns) {
        ArrayNode definitions = Json.array();
        columns.forEach(column -> definitions.add(Json.object()
                .put("name", column.name())
                .put("type", column.type())
                .put("format", column.format())
                .put("description", column.name())
                .put("priority", column.priority())));
        ObjectNode table = Json.object();
        table.set("columnDefinitions", definitions);
        return table;
    }

    public static ArrayNode cells(List<Resource.Column> columns, JsonNode object, Instant now) {
        ArrayNode cells = Json.array();
        columns.forEach(column -> cells.add(cell(column, object, now)));
        return cells;
    }

    private static JsonNode cell(Resource.Column column, JsonNode object, Instant now) {
        String expression = column.expression();
        if (expression.startsWith("@")) {
            int space = expression.indexOf(' ');
            String name = space < 0 ? expression : expression.substring(0, space);
            return function(name, space < 0 ? "" : expression.substring(space + 1), object, now);
        }
        if (expression.contains("{")) {
            Matcher hole = HOLE.matcher(expression);
            return Json.string(hole.replaceAll(match -> {
                List<JsonNode> found = JsonPath.find(object, match.group(1));
                String otherwise = match.group(2) == null ? "<none>" : match.group(2);
                return Matcher.quoteReplacement(
                        found.isEmpty()
                                ? otherwise
                                : found.stream().map(Json::plain).collect(Collectors.joining(",")));
            }));
        }
        List<JsonNode> found = JsonPath.find(object, expression);
        if (found.isEmpty()) {
            return Json.object().nullNode();
        }
        if (column.type().equals("date")) {
            return Json.string(age(Json.plain(found.getFirst()), now));
        }
        JsonNode first = found.getFirst();
        boolean fits = column.type().equals("string") ? first.isString() : !first.isString() && first.isValueNode();
        return found.size() == 1 && fits
                ? first
                : Json.string(found.stream().map(Json::plain).collect(Collectors.joining(",")));
    }

    private static boolean isTrue(JsonNode object, String path) {
        return JsonPath.find(object, path).stream()
                .findFirst()
                .filter(JsonNode::booleanValue)
                .isPresent();
    }

    private static JsonNode function(String name, String path, JsonNode object, Instant now) {
        return switch (name) {
            case "@truth" -> Json.string(isTrue(object, path) ? "True" : "False");
            case "@age" ->
                Json.string(age(
                        JsonPath.find(object, path).stream()
                                .findFirst()
                                .map(Json::plain)
                                .orElse(""),
                        now));
            case "@count" ->
                Json.object()
                        .numberNode(JsonPath.find(object, path).stream()
                                .findFirst()
                                .map(JsonNode::size)
                                .orElse(0));
            case "@number" ->
                JsonPath.find(object, path).stream()
                        .findFirst()
                        .orElse(Json.object().numberNode(0));
            case "@selector" ->
                text(JsonPath.find(object, path).stream()
                        .map(Selector::of)
                        .map(Selector::toText)
                        .collect(Collectors.joining(",")));
            case "@labels" ->
                text(JsonPath.find(object, path).stream()
                        .flatMap(map -> map.properties().stream())
                        .map(entry -> entry.getKey() + "=" + Json.plain(entry.getValue()))
                        .collect(Collectors.joining(",")));
            case "@joined" ->
                text(JsonPath.find(object, path).stream().map(Json::plain).collect(Collectors.joining(",")));
            case "@ports" -> text(ports(object));
            case "@externalIp" -> text(externalAddress(object));
            case "@podStatus" -> Json.string(podStatus(object));
            case "@podReady" -> Json.string(podReady(object));
            case "@podRestarts" ->
                Json.string(Long.toString(object.path("status")
                        .path("containerStatuses")
                        .valueStream()
                        .mapToLong(status -> Json.number(status, 0, "restartCount"))
                        .sum()));
            case "@jobStatus" -> Json.string(jobStatus(object));
            case "@jobDuration" -> Json.string(jobDuration(object, now));
            case "@nodeStatus" -> Json.string(nodeStatus(object));
            case "@created" -> Json.string(Json.text(object, "metadata", "creationTimestamp"));
            case "@lastSeen" -> Json.string(age(lastSeen(object), now));
            default -> Json.object().nullNode();
        };
    }

    private static JsonNode text(String joined) {
        return Json.string(joined.isEmpty() ? "<none>" : joined);
    }

    private static String ports(JsonNode service) {
        return service.path("spec")
                .path("ports")
                .valueStream()
                .map(port -> Json.text(port, "port")
                        + (port.has("nodePort") ? ":" + Json.text(port, "nodePort") : "")
                        + "/" + Json.text(port, "protocol"))
                .collect(Collectors.joining(","));
    }

    private static String externalAddress(JsonNode service) {
        Stream<String> addresses = Stream.concat(
                service.path("status")
                        .path("loadBalancer")
                        .path("ingress")
                        .valueStream()
                        .map(ingress -> ingress.has("ip") ? Json.text(ingress, "ip") : Json.text(ingress, "hostname")),
                service.path("spec").path("externalIPs").valueStream().map(Json::plain));
        String joined = addresses.collect(Collectors.joining(","));
        boolean pending = joined.isEmpty() && Json.text(service, "spec", "type").equals("LoadBalancer");
        return pending ? "<pending>" : joined;
    }

    private static String podReady(JsonNode pod) {
        long ready = pod.path("status")
                .path("containerStatuses")
                .valueStream()
                .filter(status -> Json.truth(status, "ready"))
                .count();
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String podStatus(JsonNode pod) {
        if (pod.path("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        String reason = Json.text(pod, "status", "reason");
        String phase = Json.text(pod, "status", "phase");
        return reason.isEmpty() ? phase.equals("Succeeded") ? "Completed" : phase : reason;
    }

    private static boolean hasCondition(JsonNode object, String type) {
        return object.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(c -> Json.text(c, "type").equals(type)
                        && Json.text(c, "status").equals("True"));
    }

    private static String jobStatus(JsonNode job) {
        if (hasCondition(job, "Complete")) {
            return "Complete";
        }
        if (hasCondition(job, "Failed")) {
            return "Failed";
        }
        return Json.truth(job, "spec", "suspend") ? "Suspended" : "Running";
    }

    private static String jobDuration(JsonNode job, Instant now) {
        String start = Json.text(job, "status", "startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = Json.text(job, "status", "completionTime");
        return human(Duration.between(Instant.parse(start), end.isEmpty() ? now : Instant.parse(end)));
    }

    private static String nodeStatus(JsonNode node) {
        boolean known = node.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(c -> Json.text(c, "type").equals("Ready"));
        String status = !known ? "Unknown" : hasCondition(node, "Ready") ? "Ready" : "NotReady";
        return Json.truth(node, "spec", "unschedulable") ? status + ",SchedulingDisabled" : status;
    }

    private static String lastSeen(JsonNode event) {
        return Stream.of("lastTimestamp", "deprecatedLastTimestamp", "eventTime", "firstTimestamp")
                .map(field -> Json.text(event, field))
                .filter(time -> !time.isEmpty())
                .findFirst()
                .orElse(Json.text(event, "metadata", "creationTimestamp"));
    }

    private static String age(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return "<unknown>";
        }
        try {
            return human(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }

    /** A duration in at most two units, as kubectl shows it: 5s, 2m30s, 10m, 3h5m, 2d, 400d, 2y. */
    static String human(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 0) {
            return seconds < -1 ? "<invalid>" : "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return pair(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return days < 2920 ? pair(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    private static String pair(long major, String majorUnit, long minor, String minorUnit) {
        return major + majorUnit + (minor == 0 ? "" : minor + minorUnit);
    }
}
