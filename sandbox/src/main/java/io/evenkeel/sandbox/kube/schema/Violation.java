package io.evenkeel.sandbox.kube.schema;

/**
 * One reason why an object is refused, as it stands among the causes of a Status.
 *
 * @param reason the machine-readable reason, for example {@code FieldValueRequired}
 * @param field the path of the field, for example {@code spec.ports[0].port}
 * @param message what is wrong, without the path
 */
public record Violation(String reason, String field, String message) {
    public static Violation required(String field) {
        return new Violation("FieldValueRequired", field, "Required value");
    }

    public static Violation required(String field, String detail) {
        return new Violation("FieldValueRequired", field, "Required value: " + detail);
    }

    public static Violation invalid(String field, String value, String detail) {
        return new Violation("FieldValueInvalid", field, "Invalid value: " + value + ": " + detail);
    }

    public static Violation forbidden(String field, String detail) {
        return new Violation("FieldValueForbidden", field, "Forbidden: " + detail);
    }

    public static Violation duplicate(String field, String value) {
        return new Violation("FieldValueDuplicate", field, "Duplicate value: " + value);
    }
}
