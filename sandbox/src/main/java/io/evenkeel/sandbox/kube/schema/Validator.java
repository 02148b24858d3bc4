package io.evenkeel.sandbox.kube.schema;

import io.evenkeel.sandbox.kube.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Checks a value against a structural schema and reports every violation, worded as a real server does. */
public final class Validator {
    private final List<Violation> found = new ArrayList<>();

    private Validator() {}

    /** All violations of the object under {@code schema}; an empty list if it is valid. */
    public static List<Violation> validate(Schema schema, JsonNode object) {
        Validator validator = new Validator();
        validator.check(schema, object, "");
        return List.copyOf(validator.found);
    }

    private void check(Schema schema, JsonNode value, String path) {
        if (value.isNull()) {
            if (!schema.isNullable() && !schema.type().isEmpty()) {
                wrongType(path, schema.type(), "null");
            }
            return;
        }
        if (!hasDeclaredType(schema, value)) {
            wrongType(path, schema.isIntOrString() ? "integer,string" : schema.type(), typeName(value));
            return;
        }
        if (value.isObject()) {
            checkObject(schema, value, path);
        } else if (value.isArray()) {
            checkArray(schema, value, path);
        } else {
            checkScalar(schema, value, path);
        }
        checkEnum(schema, value, path);
        checkAlternatives(schema, value, path);
    }

    private void checkObject(Schema schema, JsonNode value, String path) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            schema.property(field.getKey())
                    .or(schema::additional)
                    .ifPresent(child -> check(child, field.getValue(), join(path, field.getKey())));
        }
        for (String required : schema.required()) {
            if (!value.has(required)) {
                found.add(Violation.required(join(path, required)));
            }
        }
        Schema.Limits limits = schema.limits();
        if (value.size() > limits.maxProperties()) {
            found.add(new Violation(
                    "FieldValueTooMany",
                    path,
                    "Too many: " + value.size() + ": must have at most " + count(limits.maxProperties(), "item")));
        }
        if (value.size() < limits.minProperties()) {
            invalid(path, value, "should have at least " + limits.minProperties() + " properties");
        }
    }

    private void checkArray(Schema schema, JsonNode value, String path) {
        Schema.Limits limits = schema.limits();
        if (value.size() > limits.maxItems()) {
            found.add(new Violation(
                    "FieldValueTooMany",
                    path,
                    "Too many: " + value.size() + ": must have at most " + count(limits.maxItems(), "item")));
        }
        if (value.size() < limits.minItems()) {
            invalid(path, value, "should have at least " + count(limits.minItems(), "item"));
        }
        for (int i = 0; i < value.size(); i++) {
            check(schema.items(), value.get(i), path + "[" + i + "]");
        }
        checkDuplicates(schema, value, path);
    }

    private void checkDuplicates(Schema schema, JsonNode value, String path) {
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            JsonNode item = value.get(i);
            String identity;
            if (schema.listType() == Schema.ListType.SET) {
                identity = item.toString();
            } else if (schema.listType() == Schema.ListType.MAP && item.isObject()) {
                identity = schema.listKeys().stream()
                        .filter(item::has)
                        .sorted()
                        .map(key -> Json.string(key) + ":" + item.get(key))
                        .collect(Collectors.joining(",", "{", "}"));
            } else {
                continue;
            }
            if (seen.contains(identity)) {
                found.add(Violation.duplicate(path + "[" + i + "]", identity));
            }
            seen.add(identity);
        }
    }

    private void checkScalar(Schema schema, JsonNode value, String path) {
        Schema.Limits limits = schema.limits();
        if (value.isNumber()) {
            checkNumber(limits, value, path);
        } else if (value.isString()) {
            String text = value.stringValue();
            int length = text.codePointCount(0, text.length());
            if (length > limits.maxLength()) {
                found.add(new Violation(
                        "FieldValueTooLong", path, "Too long: may not be more than " + limits.maxLength() + " bytes"));
            }
            if (length < limits.minLength()) {
                invalid(path, value, "should be at least " + limits.minLength() + " chars long");
            }
            limits.pattern()
                    .filter(pattern -> !pattern.matcher(text).find())
                    .ifPresent(pattern -> invalid(path, value, "should match '" + pattern.pattern() + "'"));
            if (!hasFormat(limits.format(), text)) {
                found.add(new Violation(
                        "FieldValueInvalid",
                        path,
                        "Invalid value: " + value + ": " + path + " in body must be of type " + limits.format() + ": "
                                + value));
            }
        }
    }

    private void checkNumber(Schema.Limits limits, JsonNode value, String path) {
        BigDecimal number = value.decimalValue();
        limits.minimum().ifPresent(minimum -> {
            int order = number.compareTo(minimum);
            if (order < 0 || (order == 0 && limits.exclusiveMinimum())) {
                String bound =
                        limits.exclusiveMinimum() ? "should be greater than " : "should be greater than or equal to ";
                invalid(path, value, bound + plain(minimum));
            }
        });
        limits.maximum().ifPresent(maximum -> {
            int order = number.compareTo(maximum);
            if (order > 0 || (order == 0 && limits.exclusiveMaximum())) {
                String bound = limits.exclusiveMaximum() ? "should be less than " : "should be less than or equal to ";
                invalid(path, value, bound + plain(maximum));
            }
        });
        limits.multipleOf()
                .filter(step -> step.signum() != 0 && number.remainder(step).signum() != 0)
                .ifPresent(step -> invalid(path, value, "should be a multiple of " + plain(step)));
    }

    private void checkEnum(Schema schema, JsonNode value, String path) {
        List<JsonNode> allowed = schema.limits().enumeration();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(option -> Json.same(option, value))) {
            String options = allowed.stream().map(JsonNode::toString).collect(Collectors.joining(", "));
            found.add(new Violation(
                    "FieldValueNotSupported", path, "Unsupported value: " + value + ": supported values: " + options));
        }
    }

    private void checkAlternatives(Schema schema, JsonNode value, String path) {
        if (schema.isIntOrString()) {
            return;
        }
        schema.alternatives("allOf").forEach(part -> check(part, value, path));
        List<Schema> any = schema.alternatives("anyOf");
        if (!any.isEmpty()
                && any.stream().noneMatch(part -> validate(part, value).isEmpty())) {
            invalid(path, "must validate at least one schema (anyOf)");
        }
        List<Schema> one = schema.alternatives("oneOf");
        if (!one.isEmpty()
                && one.stream().filter(part -> validate(part, value).isEmpty()).count() != 1) {
            invalid(path, "must validate one and only one schema (oneOf)");
        }
        schema.not()
                .filter(part -> validate(part, value).isEmpty())
                .ifPresent(part -> invalid(path, "must not validate the schema (not)"));
    }

    private void invalid(String path, String detail) {
        found.add(new Violation("FieldValueInvalid", path, "Invalid value: \"\": \"" + path + "\" " + detail));
    }

    private void invalid(String path, JsonNode value, String detail) {
        String shown = value.isContainer() ? Integer.toString(value.size()) : value.toString();
        found.add(new Violation(
                "FieldValueInvalid", path, "Invalid value: " + shown + ": " + path + " in body " + detail));
    }

    private void wrongType(String path, String expected, String actual) {
        found.add(new Violation(
                "FieldValueTypeInvalid",
                path,
                "Invalid value: \"" + actual + "\": " + path + " in body must be of type " + expected + ": \"" + actual
                        + "\""));
    }

    private static boolean hasDeclaredType(Schema schema, JsonNode value) {
        if (schema.isIntOrString()) {
            return value.isIntegralNumber() || value.isString();
        }
        return switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isNumber() && isIntegral(value);
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true;
        };
    }

    private static boolean isIntegral(JsonNode value) {
        return value.isIntegralNumber()
                || value.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    /** The JSON type of a value in the words of the API. */
    public static String typeName(JsonNode value) {
        if (value.isNumber()) {
            return isIntegral(value) ? "integer" : "number";
        }
        return value.isObject()
                ? "object"
                : value.isArray() ? "array" : value.isBoolean() ? "boolean" : value.isNull() ? "null" : "string";
    }

    private static boolean hasFormat(String format, String text) {
        try {
            switch (format) {
                case "date-time" -> OffsetDateTime.parse(text);
                case "date" -> java.time.LocalDate.parse(text);
                case "uuid" -> java.util.UUID.fromString(text);
                case "ipv4" -> {
                    return text.matches("(\\d{1,3}\\.){3}\\d{1,3}");
                }
                case "byte" -> java.util.Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
                default -> {
                    return true; // an unknown format is not checked, as upstream
                }
            }
            return true;
        } catch (DateTimeException | IllegalArgumentException e) {
            return false;
        }
    }

    private static String plain(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() <= 0 ? stripped.toBigInteger().toString() : stripped.toPlainString();
    }

    private static String count(long n, String noun) {
        return n == 1 ? "1 " + noun : BigInteger.valueOf(n) + " " + noun + "s";
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
