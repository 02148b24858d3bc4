package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/**
 * A token of a service account with the rights of an administrator. A server gives none that ends in less than ten
 * minutes, so one is signed here with the server's own key. A server lets a token live a minute longer than it says, and
 * remembers for some seconds that it was good.
 */
final class ServiceAccountToken {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final int SECONDS_LEFT = 15;
    private static final int GRACE_SECONDS = 60;

    private ServiceAccountToken() {}

    static String endingSoon(ApiClient api, Path folder) {
        api.post(ACCOUNTS, "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'robot'}}");
        api.post(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRoleBinding','metadata':{'name':'robot'},"
                    + "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'cluster-admin'},"
                    + "'subjects':[{'kind':'ServiceAccount','name':'robot','namespace':'default'}]}");
        Reply given = api.post(
                ACCOUNTS + "/robot/token",
                "{'apiVersion':'authentication.k8s.io/v1','kind':'TokenRequest','spec':{'expirationSeconds':600}}");
        assertThat(given.code()).as("%s", given.body()).isEqualTo(201);
        String[] parts = given.text("status", "token").split("\\.", -1);
        ObjectNode claims = Json.parseObject(Base64.getUrlDecoder().decode(parts[1]));
        claims.put("exp", Instant.now().getEpochSecond() - GRACE_SECONDS + SECONDS_LEFT);
        claims.put("iat", Instant.now().getEpochSecond() - 2 * GRACE_SECONDS);
        claims.put("nbf", Instant.now().getEpochSecond() - 2 * GRACE_SECONDS);
        String signed = parts[0] + "." + encoded(claims.toString().getBytes(StandardCharsets.UTF_8));
        return signed + "." + encoded(signature(signed, folder.resolve("service-account.key")));
    }

    private static byte[] signature(String text, Path key) {
        try {
            String pem = Files.readString(key).replaceAll("-----[A-Z ]+-----|\\s", "");
            PrivateKey privateKey = KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(privateKey);
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return signature.sign();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
