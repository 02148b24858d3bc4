package io.evenkeel.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.json.Json;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClusterSecretTest {
    private final Map<String, String> data =
            new LinkedHashMap<>(Map.of("name", "eu-1", "server", "https://10.0.0.1:6443"));

    @Test
    void givenTheFormOfArgo_whenRead_thenEveryFieldCounts() throws Exception {
        data.put("namespaces", " shop ");
        data.put("config", """
            {"bearerToken": "geheim-1", "username": "u", "password": "geheim-2", "tlsClientConfig": {
              "insecure": false, "serverName": "api.example.com", "caData": "%s", "certData": "%s", "keyData": "%s"}}
            """.formatted(encoded("the ca"), encoded("the cert"), encoded("geheim-3")));
        ClusterDefinition definition = read().definition();
        assertThat(definition.name()).isEqualTo("eu-1");
        assertThat(definition.namespace()).contains("shop");
        assertThat(definition.access()).isInstanceOfSatisfying(ClusterAccess.Direct.class, direct -> {
            assertThat(direct.server()).hasToString("https://10.0.0.1:6443");
            assertThat(direct.token().orElseThrow().reveal()).isEqualTo("geheim-1");
            assertThat(direct.user()).contains("u");
            assertThat(direct.authority()).contains("the ca");
            assertThat(direct.certificate()).contains("the cert");
            assertThat(direct.key().orElseThrow().reveal()).isEqualTo("geheim-3");
            assertThat(direct.serverName()).contains("api.example.com");
            assertThat(direct.insecure()).isFalse();
        });
        assertThat(definition.toString()).doesNotContain("geheim");
    }

    @Test
    void givenNoName_whenRead_thenTheSecretsOwnNameStands() throws Exception {
        data.remove("name");
        assertThat(read().definition().name()).isEqualTo("the-secret");
    }

    @Test
    void givenToken_whenUsed_thenRequestsCarryIt() throws Exception {
        data.put("config", "{\"bearerToken\":\"t-1\",\"tlsClientConfig\":{\"insecure\":true}}");
        ApiCredentials credentials = ApiCredentials.proven(read().definition());
        assertThat(credentials.server()).hasToString("https://10.0.0.1:6443/");
        assertThat(credentials.authorization()).isEqualTo(Optional.of("Bearer t-1"));
        assertThat(credentials.trusted()).hasOnlyElementsOfType(TrustEverything.class);
    }

    @Test
    void givenWhatIsNoCertificate_whenProven_thenItIsRefused() {
        data.put("config", "{\"tlsClientConfig\":{\"caData\":\"" + encoded("no pem") + "\"}}");
        assertThatThrownBy(() -> ApiCredentials.proven(read().definition()))
                .hasMessageContaining("the certificate authority for https://10.0.0.1:6443/ cannot be used");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "server||it lacks server",
                "server|10.0.0.1:6443|server must be an address such as",
                "config|{\"bearerToken\": \"geheim\"|config is no JSON, see character",
                "config|\"geheim\"|config must be a JSON object",
                "config|{\"execProviderConfig\": {\"command\": \"geheim\"}}|config has execProviderConfig, which is"
                        + " not",
                "config|{\"tlsClientConfig\": {\"certData\": \"eA==\"}}|certData and keyData, or neither",
                "config|{\"tlsClientConfig\": {\"keyData\": \"geheim!\", \"certData\": \"e\"}}|certData is not Base64",
                "namespaces|a,b|namespaces names 2 namespaces"
            })
    void givenWhatCannotBeUsed_whenRead_thenTheReasonIsToldWithoutSecrets(String field, String text, String reason) {
        if (text == null) {
            data.remove(field);
        } else {
            data.put(field, text);
        }
        assertThatThrownBy(() -> read().definition())
                .isInstanceOf(BadDefinitionException.class)
                .hasMessageContaining(reason)
                .message()
                .doesNotContain("geheim");
    }

    private ClusterSecret read() {
        var encoded = new LinkedHashMap<String, String>();
        data.forEach((field, text) -> encoded.put(field, encoded(text)));
        return new ClusterSecret(
                Json.mapper().valueToTree(Map.of("metadata", Map.of("name", "the-secret"), "data", encoded)));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
