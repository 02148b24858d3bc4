package io.evenkeel.cli.dev;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The definition of the example's kind, as the build generated it. */
final class ExampleDefinition {
    private static final String RESOURCE = "/META-INF/fabric8/memcacheds.cache.example.com-v1.yml";
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("evenkeel-dev")
            .withForce(true)
            .build();

    private ExampleDefinition() {}

    /** Installs it, and waits until the API serves the kind; applying the same again changes nothing. */
    static void install(Path kubeconfig) {
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build()) {
            var resource =
                    client.apiextensions().v1().customResourceDefinitions().resource(definition());
            resource.patch(APPLY);
            resource.waitUntilCondition(ExampleDefinition::isServed, 10, TimeUnit.SECONDS);
        } catch (KubernetesClientException e) {
            throw new StartupException(
                    ExitCode.ERROR, "The example's definition could not be installed: " + e.getMessage(), e);
        }
    }

    private static CustomResourceDefinition definition() {
        try (InputStream stream = ExampleDefinition.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException("the build lacks " + RESOURCE);
            }
            return Serialization.unmarshal(stream, CustomResourceDefinition.class);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException("cannot read " + RESOURCE, e);
        }
    }

    private static boolean isServed(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
