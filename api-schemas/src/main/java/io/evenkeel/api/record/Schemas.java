package io.evenkeel.api.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The JSON Schemas (draft 2020-12) of our record values; version 1 of each. */
public enum Schemas {
    /** Value of a change event on {@code events}. */
    CHANGE_EVENT("change-event"),
    /** Value of a gap marker on {@code events}. */
    GAP("gap"),
    /** Value on {@code requests}. */
    RECONCILE_REQUEST("reconcile-request"),
    /** Value on {@code retry-<tier>}. */
    RETRY_ENTRY("retry-entry"),
    /** Value on {@code outcomes}. */
    ATTEMPT_OUTCOME("attempt-outcome"),
    /** Value on {@code dead-letters}. */
    DEAD_LETTER("dead-letter"),
    /** Value on {@code watch-status}. */
    WATCH_STATUS("watch-status"),
    /** Value on {@code controls}. */
    PAUSE("pause");

    private final String file;

    Schemas(String file) {
        this.file = file;
    }

    /** The schema's id, which is also what {@code ce_dataschema} says. */
    public String id() {
        return "urn:evenkeel:schema:" + file + ":1";
    }

    /** The schema's file name on the class path and beside a golden record. */
    public String file() {
        return file;
    }

    /** The schema as JSON text. */
    public String text() {
        String path = "/schemas/" + file + ".schema.json";
        try (InputStream in = Objects.requireNonNull(Schemas.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
