package io.evenkeel.sandbox.kube.foreign;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource: some text, which its operator keeps in a config map. */
@Group("example.com")
@Version("v1")
public final class Site extends CustomResource<Site.Spec, Site.Status> implements Namespaced {
    private static final long serialVersionUID = 1L;

    static final String DEFINITION = """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"sites.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
         "names":{"plural":"sites","singular":"site","kind":"Site"},"versions":[{"name":"v1","served":true,
         "storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
          "spec":{"type":"object","properties":{"text":{"type":"string"}}},
          "status":{"type":"object","properties":{"shown":{"type":"string"}}}}}}}]}}
        """;

    record Spec(String text) {}

    record Status(String shown) {}
}
