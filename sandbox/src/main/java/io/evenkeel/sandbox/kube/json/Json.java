package io.evenkeel.sandbox.kube.json;

import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads and writes JSON trees; absent and null values answer as empty. Thread-safe. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectMapper YAML = YAMLMapper.builder().build();
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    public static JsonNode string(String value) {
        return StringNode.valueOf(value);
    }

    public static JsonNode numberNode(long value) {
        return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
    }

    public static JsonNode numberNode(double value) {
        return NODES.numberNode(value);
    }

    public static JsonNode truthNode(boolean value) {
        return NODES.booleanNode(value);
    }

    /** @throws JacksonException if {@code bytes} are not JSON */
    public static JsonNode parse(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    public static JsonNode parse(String text) {
        return MAPPER.readTree(text);
    }

    /** Parses a YAML document, of which JSON is one form. */
    public static JsonNode parseYaml(byte[] bytes) {
        return YAML.readTree(bytes);
    }

    public static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    public static ObjectNode parseObject(byte[] bytes) {
        return (ObjectNode) MAPPER.readTree(bytes);
    }

    /** Parses JSON and reports the path of every key that stands twice in its object; the last value counts. */
    public static JsonNode parseReportingDuplicates(byte[] bytes, Consumer<String> duplicates) {
        try (JsonParser parser =
                FACTORY.createParser(tools.jackson.core.ObjectReadContext.empty(), bytes, 0, bytes.length)) {
            parser.nextToken();
            JsonNode node = read(parser, "", duplicates);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("trailing data after top-level value");
            }
            return node;
        }
    }

    private static JsonNode read(JsonParser parser, String path, Consumer<String> duplicates) {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new IllegalArgumentException("unexpected end of JSON input");
        }
        return switch (token) {
            case START_OBJECT -> {
                ObjectNode object = object();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    String child = path.isEmpty() ? name : path + "." + name;
                    parser.nextToken();
                    JsonNode value = read(parser, child, duplicates);
                    if (object.has(name)) {
                        duplicates.accept(child);
                    }
                    object.set(name, value);
                }
                yield object;
            }
            case START_ARRAY -> {
                ArrayNode array = array();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(parser, path + "[" + array.size() + "]", duplicates));
                }
                yield array;
            }
            case VALUE_STRING -> string(parser.getString());
            case VALUE_NUMBER_INT ->
                switch (parser.getNumberType()) {
                    case INT -> NODES.numberNode(parser.getIntValue());
                    case LONG -> NODES.numberNode(parser.getLongValue());
                    default -> NODES.numberNode(parser.getBigIntegerValue());
                };
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            default -> NODES.nullNode();
        };
    }

    /** The node at the path, or empty where any step is absent or null. */
    public static Optional<JsonNode> at(JsonNode node, String... path) {
        JsonNode current = node;
        for (String step : path) {
            current = current.path(step);
        }
        return current.isMissingNode() || current.isNull() ? Optional.empty() : Optional.of(current);
    }

    /** The string at the path, or an empty one where there is none. */
    public static String text(JsonNode node, String... path) {
        return at(node, path).map(Json::plain).orElse("");
    }

    /** A scalar as text without quotes, anything else as JSON. */
    public static String plain(JsonNode node) {
        return node.isString() ? node.stringValue() : node.toString();
    }

    public static long number(JsonNode node, long otherwise, String... path) {
        return at(node, path)
                .filter(JsonNode::isNumber)
                .map(JsonNode::longValue)
                .orElse(otherwise);
    }

    public static boolean truth(JsonNode node, String... path) {
        return at(node, path)
                .filter(JsonNode::isBoolean)
                .map(JsonNode::booleanValue)
                .orElse(false);
    }

    /** The object under {@code name}; made and attached where it is absent or not an object. */
    public static ObjectNode child(ObjectNode parent, String name) {
        if (parent.get(name) instanceof ObjectNode present) {
            return present;
        }
        ObjectNode made = object();
        parent.set(name, made);
        return made;
    }

    public static ObjectNode metadata(ObjectNode object) {
        return child(object, "metadata");
    }

    /** Equality by value: 1 and 1.0 and 1L are the same number, the order of keys does not count. */
    public static boolean same(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return left.decimalValue().compareTo(right.decimalValue()) == 0;
        }
        if (left.isObject() && right.isObject()) {
            if (left.size() != right.size()) {
                return false;
            }
            for (Map.Entry<String, JsonNode> entry : left.properties()) {
                JsonNode other = right.get(entry.getKey());
                if (other == null || !same(entry.getValue(), other)) {
                    return false;
                }
            }
            return true;
        }
        if (left.isArray() && right.isArray()) {
            if (left.size() != right.size()) {
                return false;
            }
            Iterator<JsonNode> others = right.iterator();
            for (JsonNode item : left) {
                if (!same(item, others.next())) {
                    return false;
                }
            }
            return true;
        }
        return left.equals(right);
    }
}
