package io.evenkeel.worker.harness;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A kind of primary for tests. */
@Group("test.evenkeel.io")
@Version("v1")
public final class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {
    private static final long serialVersionUID = 1L;

    /** What is wanted. */
    public record Spec(int size) {}

    /** What is. */
    public record Status(long observedGeneration, String note) {}
}
