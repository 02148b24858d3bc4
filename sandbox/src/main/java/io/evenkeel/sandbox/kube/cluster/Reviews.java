package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import tools.jackson.databind.JsonNode;
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
                String resource = new ObjectType(Json.text(asked, "group"), Json.text(asked, "resource")).toString();
                status.put(
                        "allowed",
                        request.user().may(Json.text(asked, "verb"), resource, Json.text(asked, "namespace")));
            }
            case "SubjectAccessReview" -> status.put("allowed", true);
            case "SelfSubjectReview" ->
                Json.child(status, "userInfo").put("username", request.user().name());
            case "SelfSubjectRulesReview" -> {
                status.put("incomplete", false);
                ObjectNode everything = Json.object();
                for (String field : new String[] {"apiGroups", "resources", "verbs"}) {
                    everything.set(field, Json.array().add("*"));
                }
                status.set("resourceRules", Json.array().add(everything));
                status.set("nonResourceRules", Json.array());
            }
            default -> throw ApiFailure.notSimulated(call.resource().kind());
        }
        return ApiResponse.json(201, review);
    }
}
