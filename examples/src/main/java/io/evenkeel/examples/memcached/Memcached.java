package io.evenkeel.examples.memcached;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.INTEGER;
import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.STRING;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some replicas of memcached under one name. */
@Group("cache.example.com")
@Version("v1alpha1")
@ShortNames("mc")
@AdditionalPrinterColumn(name = "Replicas", jsonPath = ".spec.replicas", type = INTEGER)
@AdditionalPrinterColumn(name = "ReadyReplicas", jsonPath = ".status.readyReplicas", type = INTEGER)
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status", type = STRING)
public final class Memcached extends CustomResource<Memcached.Spec, Memcached.Status> implements Namespaced {
    @Override
    @Required
    public Spec getSpec() {
        return super.getSpec();
    }

    /** What is wanted. */
    public record Spec(
            @Required @Min(0) @Max(100) int replicas,
            @Nullable String image) {}

    /** What is. */
    public record Status(long observedGeneration, int readyReplicas, List<Condition> conditions) {}
}
