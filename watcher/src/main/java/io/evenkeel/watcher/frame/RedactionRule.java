package io.evenkeel.watcher.frame;

/**
 * What is to be replaced in which resources' objects, written {@code <resources>: <path>}. Resources are named as kubectl
 * does: {@code deployments.apps}, {@code configmaps} of the core group; {@code *.example.com} stands for all of a group and
 * of the groups under it, and {@code *} for all.
 *
 * @param resources as written
 * @param path where in the object
 */
public record RedactionRule(String resources, RedactionPath path) {
    private static final String GROUP = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final String ALL = "*";

    /**
     * Reads what a person wrote.
     *
     * @throws IllegalArgumentException with the text, what is wrong with it and how to write it
     */
    public static RedactionRule parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no colon; write <resources>: <path>, such as" + " configmaps: .data.password");
        }
        String resources = text.substring(0, colon).strip();
        if (!resources.matches("\\*|(\\*|[a-z0-9]+)\\." + GROUP + "|[a-z0-9]+")) {
            throw new IllegalArgumentException("'" + text + "' names the resources '" + resources
                    + "'; write <plural>.<group>, <plural> of the core group, *.<group>, or * for all");
        }
        String path = text.substring(colon + 1).strip();
        try {
            return new RedactionRule(resources, RedactionPath.parse(path));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "': the path '" + path + "' " + e.getMessage(), e);
        }
    }

    /** Whether it is about this resource. */
    boolean concerns(String group, String plural) {
        if (resources.equals(ALL)) {
            return true;
        }
        if (resources.startsWith("*.")) {
            String suffix = resources.substring(1);
            return ("." + group).endsWith(suffix);
        }
        return resources.equals(group.isEmpty() ? plural : plural + "." + group);
    }
}
