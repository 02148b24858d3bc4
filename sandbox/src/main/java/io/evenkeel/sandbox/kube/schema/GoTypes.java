package io.evenkeel.sandbox.kube.schema;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Finds values that could not be decoded into the type of a built-in kind; such a body is a bad request. Stateless. */
public final class GoTypes {
    private static final Pattern QUANTITY_FORM = Pattern.compile("([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)");
    private static final Pattern TIME_FORM =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)");

    private GoTypes() {}

    /**
     * The decoder's complaint about the first value of a wrong type, if there is one.
     *
     * @param path of the value in the object, for example {@code metadata}; empty for the object itself
     */
    public static Optional<String> mismatch(Schema schema, JsonNode value, String path) {
        return check(schema, value, shortName(schema), path);
    }

    /** @param owner the Go type that holds the field which {@code value} is, or is in */
    private static Optional<String> check(Schema schema, JsonNode value, String owner, String path) {
        if (value.isNull() || schema.isUntyped()) {
            return Optional.empty();
        }
        if (schema.isQuantity()) {
            return quantity(value);
        }
        if (!fits(schema, value)) {
            return Optional.of("json: cannot unmarshal " + goKind(value) + " into Go struct field " + owner + "." + path
                    + " of type " + goType(schema));
        }
        if (value.isObject()) {
            boolean isMap = schema.isMap();
            String holder = isMap || schema.name().isEmpty() ? owner : shortName(schema);
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                Optional<String> nested =
                        check(schema.child(field.getKey()), field.getValue(), holder, isMap ? path : name);
                if (nested.isPresent()) {
                    return nested;
                }
            }
        } else if (value.isArray()) {
            for (JsonNode item : value) {
                Optional<String> nested = check(schema.items(), item, owner, path);
                if (nested.isPresent()) {
                    return nested;
                }
            }
        } else if (schema.limits().format().equals("date-time")) {
            return time(value.stringValue());
        }
        return Optional.empty();
    }

    private static boolean fits(Schema schema, JsonNode value) {
        if (schema.isIntOrString()) {
            return value.isString() || isInteger(value, Integer.SIZE);
        }
        return switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> isInteger(value, schema.limits().format().equals("int32") ? Integer.SIZE : Long.SIZE);
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true;
        };
    }

    private static boolean isInteger(JsonNode value, int bits) {
        return value.isIntegralNumber()
                && value.bigIntegerValue(BigInteger.ZERO).bitLength() < bits;
    }

    private static Optional<String> quantity(JsonNode value) {
        String text = value.isString() ? value.stringValue() : value.toString();
        return QUANTITY_FORM.matcher(text).matches()
                ? Optional.empty()
                : Optional.of("quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    private static Optional<String> time(String text) {
        return TIME_FORM.matcher(text).matches()
                ? Optional.empty()
                : Optional.of("parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + text
                        + "\" as \"2006\"");
    }

    private static String goKind(JsonNode value) {
        if (value.isNumber()) {
            return isInteger(value, Integer.SIZE) ? "number" : "number " + value;
        }
        return value.isObject() ? "object" : value.isArray() ? "array" : value.isBoolean() ? "bool" : "string";
    }

    private static String goType(Schema schema) {
        if (schema.isIntOrString()) {
            return "int32";
        }
        String format = schema.limits().format();
        return switch (schema.type()) {
            case "integer" -> format.isEmpty() ? "int" : format;
            case "boolean" -> "bool";
            case "number" -> "float64";
            case "string" -> "string";
            case "array" -> "[]" + goType(schema.items());
            default -> schema.isMap() ? "map[string]" + goType(schema.child("")) : qualifiedName(schema);
        };
    }

    /** As Go prints a type: with the last part of its package. */
    private static String qualifiedName(Schema schema) {
        String name = schema.name();
        int packageEnd = name.lastIndexOf('.', name.lastIndexOf('.') - 1);
        return name.substring(packageEnd + 1);
    }

    private static String shortName(Schema schema) {
        return schema.name().substring(schema.name().lastIndexOf('.') + 1);
    }
}
