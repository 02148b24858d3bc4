package io.evenkeel.sandbox.kube.cluster;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to a write.
 *
 * @param code 200 or 201
 * @param warnings for the client to show
 */
record Written(int code, ObjectNode object, List<String> warnings) {}
