package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers questions that are asked by creating an object that nobody stores. */
final class Reviews {
    ApiResponse create(Call call, ApiRequest request) {
        ObjectNode review = Decoder.object(
                call.resource(), request.body().bytes(), request.contentType(), "Ignore", new ArrayList<>());
        review.put("kind", call.resource().kind())
                .put("apiVersion", call.resource().apiVersion());
        ObjectNode status = Json.child(review, "status");
        switch (call.resource().kind()) {
            case "SelfSubjectAccessReview" -> {
                JsonNode asked = review.path("spec").path("resourceAttributes");
                String subresource = Json.text(asked, "subresource");
                String resource = new ObjectType(Json.text(asked, "group"), Json.text(asked, "resource"))
                        + (subresource.isEmpty() ? "" : "/" + subresource);
                status.put(
                        "allowed",
                        request.user().may(Json.text(asked, "verb"), resource, Json.text(asked, "namespace")));
            }
            case "SelfSubjectReview" ->
                Json.child(status, "userInfo").put("username", request.user().name());
            case "SelfSubjectRulesReview" -> {
                status.put("incomplete", false);
                String namespace = Json.text(review, "spec", "namespace");
                ArrayNode rules = Json.array();
                request.user().rules().stream()
                        .filter(rule -> rule.holdsIn(namespace))
                        .forEach(rule -> rules.add(shown(rule)));
                status.set("resourceRules", rules);
                status.set("nonResourceRules", Json.array());
            }
            default -> throw ApiFailure.notSimulated(call.resource().kind());
        }
        return ApiResponse.json(201, review);
    }

    /** A rule as a Role has it: names and groups of resources apart. */
    private static ObjectNode shown(User.Rule rule) {
        ArrayNode groups = Json.array();
        ArrayNode resources = Json.array();
        for (String resource : new TreeSet<>(rule.resources())) {
            int dot = resource.indexOf('.');
            String group = resource.equals("*") ? "*" : dot < 0 ? "" : resource.substring(dot + 1);
            groups.add(group);
            resources.add(dot < 0 ? resource : resource.substring(0, dot));
        }
        ArrayNode verbs = Json.array();
        new TreeSet<>(rule.verbs()).forEach(verbs::add);
        ObjectNode shown = Json.object();
        shown.set("verbs", verbs);
        shown.set("apiGroups", groups);
        shown.set("resources", resources);
        return shown;
    }
}
