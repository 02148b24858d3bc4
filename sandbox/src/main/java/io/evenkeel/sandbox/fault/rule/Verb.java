package io.evenkeel.sandbox.fault.rule;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a request does, in the words of Kubernetes' own access rules. */
public enum Verb {
    /** One object. */
    GET,
    /** A collection. */
    LIST,
    /** Changes of a collection, for as long as the connection holds. */
    WATCH,
    /** POST to a collection. */
    CREATE,
    /** PUT of an object. */
    UPDATE,
    /** Any kind of PATCH. */
    PATCH,
    /** Of one object. */
    DELETE,
    /** Of all objects of a collection. */
    DELETECOLLECTION,
    /** Whatever is not about a resource: discovery, health, version, OpenAPI. */
    OTHER;

    /** As it is written in scripts and messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The verb that is written so, if there is one. */
    public static Optional<Verb> parse(String text) {
        return Arrays.stream(values()).filter(verb -> verb.text().equals(text)).findFirst();
    }
}
