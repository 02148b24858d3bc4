package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What the ports and the name of a Service must fulfil. Stateless. */
final class ServiceRules {
    private static final int HIGHEST_PORT = 65_535;

    private ServiceRules() {}

    static void check(JsonNode spec, List<Violation> found) {
        JsonNode ports = spec.path("ports");
        boolean external = Json.text(spec, "type").equals("ExternalName");
        if (ports.isEmpty() && !external && !Json.text(spec, "clusterIP").equals("None")) {
            found.add(Violation.required("spec.ports"));
        }
        if (external && Json.text(spec, "externalName").isEmpty()) {
            found.add(Violation.required("spec.externalName"));
        }
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.get(i);
            String path = "spec.ports[" + i + "]";
            String name = Json.text(port, "name");
            if (name.isEmpty() && ports.size() > 1) {
                found.add(Violation.required(path + ".name"));
            } else if (!name.isEmpty() && !names.add(name)) {
                found.add(Violation.duplicate(path + ".name", Json.string(name).toString()));
            }
            inRange(port.path("port"), path + ".port", found);
            inRange(port.path("targetPort"), path + ".targetPort", found);
            String number = Json.text(port, "protocol") + Json.number(port, 0, "port");
            if (!numbers.add(number)) {
                found.add(Violation.duplicate(path, shown(port)));
            }
        }
    }

    private static void inRange(JsonNode port, String path, List<Violation> found) {
        long number = port.isMissingNode() ? 0 : port.longValue(1);
        if (number < 1 || number > HIGHEST_PORT) {
            found.add(Violation.invalid(
                    path, Long.toString(number), "must be between 1 and " + HIGHEST_PORT + ", inclusive"));
        }
    }

    /** As Go prints what two ports must not share. */
    private static String shown(JsonNode port) {
        return "{\"Name\":\"\",\"Protocol\":" + Json.string(Json.text(port, "protocol"))
                + ",\"AppProtocol\":null,\"Port\":" + Json.number(port, 0, "port")
                + ",\"TargetPort\":0,\"NodePort\":0}";
    }
}
