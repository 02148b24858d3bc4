package io.evenkeel.worker.object;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of Kubernetes objects as Java objects. */
public final class ObjectJson {
    /**
     * One for all: what it learns of a class is learnt and kept once, not for each cluster. A field that a class does not know
     * is left out: a definition may be ahead of the program.
     */
    public static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(
            JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build(),
            true);

    private ObjectJson() {}
}
