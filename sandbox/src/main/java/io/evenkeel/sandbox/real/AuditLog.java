package io.evenkeel.sandbox.real;

import io.evenkeel.api.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The audit log of the API server, a line of JSON per request and stage; one file per data folder, over all starts. */
final class AuditLog {
    /** Requests that answer over a long time are logged when their answer starts, the others when it is complete. */
    private static final String POLICY = """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived]
        rules:
        - level: Metadata
        """;

    private final Path folder;

    AuditLog(Path folder) {
        this.folder = folder;
    }

    List<String> flags() {
        Path policy = folder.resolve("audit-policy.yaml");
        try {
            Files.writeString(policy, POLICY);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + policy, e);
        }
        return List.of("--audit-policy-file=" + policy, "--audit-log-path=" + file());
    }

    private Path file() {
        return folder.resolve("audit.log");
    }

    /** Each request once, in the order in which answers began or were complete. A line half written is left out. */
    List<AuditEntry> entries() {
        if (!Files.exists(file())) {
            return List.of();
        }
        try {
            String text = Files.readString(file());
            Set<String> seen = new HashSet<>();
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> Json.mapper().readTree(line))
                    .filter(event -> seen.add(id(event)))
                    .map(AuditEntry::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file(), e);
        }
    }

    private static String id(JsonNode event) {
        return event.path("auditID").asString("");
    }
}
