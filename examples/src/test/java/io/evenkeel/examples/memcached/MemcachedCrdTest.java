package io.evenkeel.examples.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MemcachedCrdTest {
    @Test
    void givenClass_whenCrdIsGenerated_thenItEqualsTheOneThatIsShipped() throws IOException {
        assertThat(read("/META-INF/fabric8/memcacheds.cache.example.com-v1.yml"))
                .as("after a change of Memcached copy the generated file to api-schemas/src/main/resources/crds")
                .isEqualTo(read("/crds/memcacheds.cache.example.com-v1.yml"));
    }

    @Test
    void givenShippedCrd_whenAUserAppliesTheExample_thenItIsTheSame() throws IOException {
        assertThat(Files.readString(Path.of("memcached/crd.yaml")))
                .isEqualTo(read("/crds/memcacheds.cache.example.com-v1.yml"));
    }

    private static String read(String resource) throws IOException {
        try (InputStream in = MemcachedCrdTest.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
