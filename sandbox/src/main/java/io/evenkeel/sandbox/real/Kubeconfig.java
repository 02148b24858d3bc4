package io.evenkeel.sandbox.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * How any client reaches the API server.
 *
 * @param url where it listens
 * @param token of the administrator
 * @param certificate PEM file of what a client must trust; exists once the server has run
 */
record Kubeconfig(String url, String token, Path certificate) {

    String text() {
        return """
            apiVersion: v1
            kind: Config
            current-context: sandbox
            clusters:
            - name: sandbox
              cluster:
                server: %s
                certificate-authority-data: %s
            users:
            - name: admin
              user:
                token: %s
            contexts:
            - name: sandbox
              context:
                cluster: sandbox
                user: admin
            """.formatted(url, encodedCertificate(), token);
    }

    private String encodedCertificate() {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(certificate));
        } catch (IOException e) {
            throw new UncheckedIOException("no certificate yet: the API server has not been started", e);
        }
    }

    Path write(Path file) {
        try {
            return Files.writeString(file, text());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
