package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.schema.Schema;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One resource in one version, built-in or custom: everything that decides how its objects behave. Immutable.
 *
 * @param storage under which type the store keeps the objects; another one where two groups show the same objects
 * @param storedVersion the version in which objects are kept; equal to {@code version} for most
 * @param schema of the whole object
 * @param builtIn true if objects are decoded into a Go type on a real server
 * @param traits what the schema does not tell
 */
public record Resource(
        ObjectType type,
        ObjectType storage,
        String version,
        String storedVersion,
        String kind,
        String listKind,
        String singular,
        boolean namespaced,
        List<String> verbs,
        List<String> shortNames,
        List<String> categories,
        Map<String, Subresource> subresources,
        Schema schema,
        boolean builtIn,
        Traits traits,
        List<Column> columns) {

    /** A path below an object, for example {@code status}. */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}

    /** Where the fields of a Scale stand in an object; an empty path means that there is no such field. */
    public record ScalePaths(String replicas, String statusReplicas, String selector) {}

    /**
     * One column of a table.
     *
     * @param expression what fills the cell; see {@link Tables}
     */
    public record Column(String name, String type, String format, int priority, String expression) {}

    /**
     * What a kind does beyond its schema.
     *
     * @param generation whether metadata.generation counts changes of the spec
     * @param unconditionalUpdate whether an update may come without a resourceVersion
     * @param createOnUpdate whether an update of an absent object creates it
     * @param shownWhenDeleted whether a deletion is answered by the object instead of a status
     * @param orphanByDefault whether a deletion without a policy leaves the dependents
     * @param nameFormat {@code subdomain}, {@code label} or {@code path}
     * @param strictFinalizers whether finalizers must be standard ones or have a domain
     * @param selectableFields field selectors beyond name and namespace
     * @param renames field names of this version by their name in the stored one
     * @param warning sent with every answer about this version; empty for none
     */
    public record Traits(
            boolean generation,
            boolean unconditionalUpdate,
            boolean createOnUpdate,
            boolean shownWhenDeleted,
            boolean orphanByDefault,
            String nameFormat,
            boolean strictFinalizers,
            List<String> selectableFields,
            Map<String, String> renames,
            Optional<ScalePaths> scale,
            String warning) {}

    public String apiVersion() {
        return type.group().isEmpty() ? version : type.group() + "/" + version;
    }

    public boolean hasStatus() {
        return subresources.containsKey("status");
    }

    /** The key of an object in the store. */
    public String key(String namespace, String name) {
        return namespaced ? namespace + "/" + name : name;
    }
}
