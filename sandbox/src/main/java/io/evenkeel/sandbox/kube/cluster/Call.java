package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.List;

/**
 * What a request asks of which object.
 *
 * @param namespace empty for cluster-scoped objects and for lists over all namespaces
 * @param name empty for collections
 * @param subresource empty for the object itself
 */
record Call(Resource resource, String namespace, String name, String subresource, Options options) {
    /**
     * How a write is to be done.
     *
     * @param manager owner of the fields that are written
     * @param fieldValidation {@code Strict}, {@code Warn} or {@code Ignore}
     */
    record Options(boolean dryRun, String manager, boolean managerNamed, String fieldValidation, boolean force) {
        static final int LONGEST_MANAGER = 128;

        static Options of(ApiRequest request, String optionsKind) {
            String dryRun = request.parameter("dryRun");
            if (!dryRun.isEmpty() && !dryRun.equals("All")) {
                throw refused(
                        optionsKind,
                        new Violation(
                                "FieldValueNotSupported",
                                "dryRun",
                                "Unsupported value: [\"" + dryRun + "\"]: supported values: \"All\""));
            }
            String validation = request.parameter("fieldValidation");
            if (!validation.isEmpty() && !List.of("Strict", "Warn", "Ignore").contains(validation)) {
                throw refused(
                        optionsKind,
                        new Violation(
                                "FieldValueNotSupported",
                                "fieldValidation",
                                "Unsupported value: \"" + validation
                                        + "\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\""));
            }
            String named = request.parameter("fieldManager");
            if (named.length() > LONGEST_MANAGER) {
                throw refused(
                        optionsKind,
                        new Violation("FieldValueTooLong", "fieldManager", "Too long: may not be more than 128 bytes"));
            }
            String agent = request.userAgent();
            int slash = agent.indexOf('/');
            String manager = named.isEmpty() ? slash < 0 ? agent : agent.substring(0, slash) : named;
            return new Options(
                    !dryRun.isEmpty(),
                    manager.isEmpty() ? "unknown" : manager,
                    !named.isEmpty(),
                    validation.isEmpty() ? "Warn" : validation,
                    request.flag("force"));
        }

        private static ApiFailure refused(String kind, Violation violation) {
            return ApiFailure.invalid("meta.k8s.io", kind, "", List.of(violation));
        }

        /** Options of a controller that runs inside the simulator. */
        static Options internal(String manager) {
            return new Options(false, manager, true, "Ignore", true);
        }
    }

    String key() {
        return resource.key(namespace, name);
    }

    Call named(String newName) {
        return new Call(resource, namespace, newName, subresource, options);
    }

    boolean isStatus() {
        return subresource.equals("status");
    }
}
