package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.ShardKey;
import java.util.List;

/**
 * A kind of which a history makes objects.
 *
 * @param group empty for the core group
 * @param plural name in paths
 * @param kind its name
 */
record SoakKind(String group, String plural, String kind) {
    static final SoakKind CONFIG_MAP = new SoakKind("", "configmaps", "ConfigMap");
    static final String NAMESPACE = "default";

    /** A custom kind, with a status; its definition comes and goes. */
    static SoakKind widget(String group) {
        return new SoakKind(group, "widgets", "Widget");
    }

    boolean custom() {
        return !group.isEmpty();
    }

    /** As the watcher's settings name it. */
    String resource() {
        return custom() ? plural + "." + group : plural;
    }

    String apiVersion() {
        return custom() ? group + "/v1" : "v1";
    }

    /** Path of all its objects of a namespace, without a leading slash. */
    String collection(String namespace) {
        return (custom() ? "apis/" : "api/") + apiVersion() + "/namespaces/" + namespace + "/" + plural;
    }

    ShardKey shard(String cluster) {
        return new ShardKey(cluster, group, plural);
    }

    ObjectKey key(String cluster, String namespace, String name) {
        return new ObjectKey(cluster, group, kind, namespace, name);
    }

    /** What a seed's history is about. */
    static List<SoakKind> both(String group) {
        return List.of(CONFIG_MAP, widget(group));
    }
}
