package io.evenkeel.sandbox.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.UUID;

/**
 * The secrets of one control plane, made on its first start and kept in its data folder: the key that signs service
 * account tokens and the token of the administrator.
 *
 * @param signingKey a file with an RSA key
 * @param tokens a file as {@code --token-auth-file} reads it
 * @param token what the administrator sends
 */
record KubeSecrets(Path signingKey, Path tokens, String token) {

    static KubeSecrets in(Path folder) {
        Path signingKey = folder.resolve("service-account.key");
        Path tokens = folder.resolve("tokens.csv");
        try {
            Files.createDirectories(folder);
            if (!Files.exists(tokens)) { // written last, so both or none
                Files.writeString(signingKey, newKey());
                Files.writeString(tokens, UUID.randomUUID() + ",admin,admin,system:masters\n");
            }
            String line = Files.readString(tokens);
            return new KubeSecrets(signingKey, tokens, line.substring(0, line.indexOf(',')));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep secrets in " + folder, e);
        }
    }

    private static String newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
            return "-----BEGIN PRIVATE KEY-----\n"
                    + lines.encodeToString(pair.getPrivate().getEncoded())
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has RSA", e);
        }
    }
}
