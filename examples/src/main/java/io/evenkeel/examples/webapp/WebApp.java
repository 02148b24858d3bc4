package io.evenkeel.examples.webapp;

import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A web application that may be scaled to nothing. */
@Group("web.example.com")
@Version("v1alpha1")
public final class WebApp extends CustomResource<WebApp.Spec, WebApp.Status> implements Namespaced {
    @Override
    @Required
    public Spec getSpec() {
        return super.getSpec();
    }

    /** Where it stands. */
    public enum Phase {
        Pending,
        Provisioning,
        Ready,
        ScalingDown,
        Error
    }

    /** What is wanted. */
    public record Spec(
            @Required @Min(0) @Max(100) int replicas,
            @Required String image) {}

    /** What is. */
    public record Status(
            long observedGeneration, Phase phase, @Nullable String error) {}
}
