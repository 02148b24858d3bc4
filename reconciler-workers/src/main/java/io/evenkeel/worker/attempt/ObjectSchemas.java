package io.evenkeel.worker.attempt;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.evenkeel.api.json.Json;
import io.evenkeel.reconciler.ResourceType;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks objects of one custom kind against the structural schema of their definition, as each cluster has it now: an API
 * server checks what is written, not what was stored before a definition grew stricter. Rules in CEL are the server's affair.
 * Where the definition cannot be read, nothing is checked. Thread-safe.
 */
final class ObjectSchemas {
    private static final Logger log = LoggerFactory.getLogger(ObjectSchemas.class);
    private static final ResourceType DEFINITIONS = new ResourceType(
            "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false);

    /** A definition that grows stricter is noticed after this. */
    private static final Duration TRUSTED = Duration.ofMinutes(10);

    /** One that grows more generous, at the first object that it refuses. */
    private static final Duration TRUSTED_TO_REFUSE = Duration.ofSeconds(5);

    /** After this it is asked for again where it could not be read. */
    private static final Duration BETWEEN_TRIES = Duration.ofMinutes(1);

    private static final int MOST_COMPILED = 16;

    private final ResourceType type;
    private final Clock clock;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(Dialects.getOpenApi30());
    private final Map<String, Known> byCluster = new ConcurrentHashMap<>();
    private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();
    private final ReentrantLock reading = new ReentrantLock();

    private record Known(Optional<Schema> schema, Instant until, Instant readAt) {}

    ObjectSchemas(ResourceType type, Clock clock) {
        this.type = type;
        this.clock = clock;
    }

    /** What is wrong with an object, with the paths of the fields; empty if nothing is. */
    List<String> violations(KubernetesApi api, String cluster, byte[] json) throws InterruptedException {
        Known known = known(api, cluster, last -> last.until().isAfter(clock.instant()));
        if (known.schema().isEmpty()) {
            return List.of();
        }
        JsonNode object = Json.mapper().readTree(json);
        List<String> found = violations(known.schema().get(), object);
        if (found.isEmpty()) {
            return found;
        }
        Known newest = known(
                api, cluster, last -> last.readAt().plus(TRUSTED_TO_REFUSE).isAfter(clock.instant()));
        return newest.schema().map(schema -> violations(schema, object)).orElse(List.of());
    }

    private Known known(KubernetesApi api, String cluster, Function<Known, Boolean> isGood)
            throws InterruptedException {
        Known last = byCluster.get(cluster);
        if (last != null && isGood.apply(last)) {
            return last;
        }
        reading.lockInterruptibly();
        try {
            Known meanwhile = byCluster.get(cluster);
            if (meanwhile != null && isGood.apply(meanwhile)) {
                return meanwhile;
            }
            Known read = read(api, cluster);
            byCluster.put(cluster, read);
            return read;
        } finally {
            reading.unlock();
        }
    }

    private Known read(KubernetesApi api, String cluster) throws InterruptedException {
        Instant now = clock.instant();
        try {
            Optional<Schema> schema = api.get(DEFINITIONS, "", type.resource()).flatMap(this::schema);
            return new Known(schema, now.plus(TRUSTED), now);
        } catch (KubernetesClientException e) {
            log.atInfo()
                    .addKeyValue("cluster", cluster)
                    .addKeyValue("definition", type.resource())
                    .addKeyValue("cause", String.valueOf(e.getMessage()))
                    .log("objects are not checked against their schema: it cannot be read");
            return new Known(Optional.empty(), now.plus(BETWEEN_TRIES), now);
        }
    }

    private Optional<Schema> schema(byte[] definition) {
        return Json.mapper()
                .readTree(definition)
                .path("spec")
                .path("versions")
                .valueStream()
                .filter(version -> version.path("name").asString("").equals(type.version()))
                .map(version -> version.path("schema").path("openAPIV3Schema"))
                .filter(JsonNode::isObject)
                .map(schema -> compiled(withoutExtensions(schema)))
                .findFirst();
    }

    /** Hundreds of clusters mostly have the same definition. */
    private Schema compiled(JsonNode schema) {
        if (compiled.size() > MOST_COMPILED) {
            compiled.clear();
        }
        return compiled.computeIfAbsent(schema, registry::getSchema);
    }

    /** They say how objects are merged and pruned, not which are valid; the validator would warn of each. */
    private static JsonNode withoutExtensions(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            ObjectNode plain = Json.mapper().createObjectNode();
            object.properties().stream()
                    .filter(field -> !field.getKey().startsWith("x-kubernetes-"))
                    .forEach(field -> plain.set(field.getKey(), withoutExtensions(field.getValue())));
            return plain;
        }
        if (schema instanceof ArrayNode array) {
            ArrayNode plain = Json.mapper().createArrayNode();
            array.forEach(item -> plain.add(withoutExtensions(item)));
            return plain;
        }
        return schema;
    }

    private static List<String> violations(Schema schema, JsonNode object) {
        return schema.validate(object).stream().map(ObjectSchemas::text).toList();
    }

    private static String text(Error error) {
        String location = error.getInstanceLocation().toString();
        String path = location.replaceAll("/([0-9]+)(?=/|$)", "[$1]")
                .replaceFirst("^/", "")
                .replace('/', '.');
        String message = error.getMessage();
        return (path.isEmpty() ? "" : path + ": ")
                + (message.startsWith(location + ": ") ? message.substring(location.length() + 2) : message);
    }
}
