package io.evenkeel.watcher.connection;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;

/**
 * Learns what a cluster serves: with two requests from servers that tell all groups at once (since 1.26), which answer 304 if
 * nothing changed, with one for each version of each group from others. Shared by all shards of a cluster, so that a
 * thousand of them cost no more than one. Thread-safe.
 */
final class Discovery {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
            + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
    private static final int UNAVAILABLE = 503;

    private final ClusterConnection connection;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Document> documents = new LinkedHashMap<>();
    private final AtomicLong servers = new AtomicLong();
    private long documentsOf;
    private volatile Optional<Known> known = Optional.empty();

    Discovery(ClusterConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /** What was learnt last, if it was asked for at {@code notBefore} or later; otherwise the server is asked. */
    ServedResources served(Instant notBefore) throws IOException, InterruptedException {
        Optional<ServedResources> last = known(notBefore);
        if (last.isPresent()) {
            return last.get();
        }
        lock.lockInterruptibly();
        try {
            Optional<ServedResources> meanwhile = known(notBefore);
            if (meanwhile.isPresent()) {
                return meanwhile.get();
            }
            long server = servers.get();
            if (documentsOf != server) {
                documents.clear();
                documentsOf = server;
            }
            Instant now = clock.instant();
            ServedResources asked = ask(now);
            known = Optional.of(new Known(asked, server));
            return asked;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything: another server may answer now. */
    void forget() {
        servers.incrementAndGet();
    }

    private Optional<ServedResources> known(Instant notBefore) {
        return known.filter(last -> last.server() == servers.get())
                .map(Known::served)
                .filter(served -> !served.askedAt().isBefore(notBefore));
    }

    private record Known(ServedResources served, long server) {}

    private ServedResources ask(Instant now) throws IOException, InterruptedException {
        var found = new Found();
        Document core = document("api");
        if (core.aggregated()) {
            core.types().forEach(found::add);
        } else {
            legacyVersion("", "v1", found);
        }
        Document groups = document("apis");
        if (groups.aggregated()) {
            groups.types().forEach(found::add);
            groups.stale().forEach(group -> found.refused.put(group, UNAVAILABLE));
        } else {
            for (GroupVersions group : groups.groups()) {
                for (String version : group.versions()) {
                    legacyVersion(group.name(), version, found);
                }
            }
        }
        return new ServedResources(List.copyOf(found.types.values()), found.refused, found.retryAfter, now);
    }

    private Document document(String path) throws IOException, InterruptedException {
        Optional<Document> before = Optional.ofNullable(documents.get(path));
        Map<String, String> headers = before.flatMap(Document::tag)
                .map(tag -> Map.of("Accept", AGGREGATED, "If-None-Match", tag))
                .orElse(Map.of("Accept", AGGREGATED));
        try (Answer answer = connection.open("discover", path, PATIENCE, headers)) {
            if (answer.status() == 304 && before.isPresent()) {
                return before.get();
            }
            if (answer.status() != 200) {
                throw new DiscoveryRefusedException(answer.status(), answer.retryAfter());
            }
            Document read = Document.of(answer.small().root(), answer.tag());
            documents.put(path, read);
            return read;
        }
    }

    private void legacyVersion(String group, String version, Found found) throws IOException, InterruptedException {
        String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
        try (Answer answer = connection.open("discover", path, PATIENCE)) {
            if (answer.status() == 200) {
                for (JsonNode resource : answer.small().root().path("resources")) {
                    String plural = resource.path("name").asString("");
                    if (isWatchable(resource) && !plural.contains("/")) {
                        found.add(new ResourceType(
                                group,
                                version,
                                plural,
                                resource.path("kind").asString(""),
                                resource.path("namespaced").asBoolean(false)));
                    }
                }
            } else if (answer.status() != 404) { // gone since the groups were told
                found.refused.put(group, answer.status());
                found.retryAfter = found.retryAfter.or(answer::retryAfter);
            }
        }
    }

    private static boolean isWatchable(JsonNode resource) {
        List<String> verbs = resource.path("verbs")
                .valueStream()
                .map(verb -> verb.asString(""))
                .toList();
        return verbs.contains("list") && verbs.contains("watch");
    }

    /** What was found so far: the first version of a group that has a resource is the one that the server likes best. */
    private static final class Found {
        private final Map<String, ResourceType> types = new LinkedHashMap<>();
        private final Map<String, Integer> refused = new LinkedHashMap<>();
        private Optional<Duration> retryAfter = Optional.empty();

        void add(ResourceType type) {
            types.putIfAbsent(type.plural() + "." + type.group(), type);
        }
    }

    /** The versions of a group, preferred one first. */
    private record GroupVersions(String name, List<String> versions) {}

    /**
     * A document of the server's discovery.
     *
     * @param aggregated whether it tells resources, not only groups
     * @param types of an aggregated one
     * @param stale groups of an aggregated one whose own server does not answer
     * @param groups of one that is not aggregated
     * @param tag names this state of it
     */
    private record Document(
            boolean aggregated,
            List<ResourceType> types,
            List<String> stale,
            List<GroupVersions> groups,
            Optional<String> tag) {
        static Document of(JsonNode root, Optional<String> tag) {
            return root.path("kind").asString("").equals("APIGroupDiscoveryList")
                    ? aggregated(root, tag)
                    : new Document(false, List.of(), List.of(), groups(root), Optional.empty());
        }

        private static Document aggregated(JsonNode root, Optional<String> tag) {
            var types = new ArrayList<ResourceType>();
            var stale = new ArrayList<String>();
            for (JsonNode group : root.path("items")) {
                String name = group.path("metadata").path("name").asString("");
                for (JsonNode version : group.path("versions")) {
                    if (version.path("freshness").asString("").equals("Stale")) {
                        stale.add(name);
                    }
                    for (JsonNode resource : version.path("resources")) {
                        if (isWatchable(resource)) {
                            types.add(new ResourceType(
                                    name,
                                    version.path("version").asString(""),
                                    resource.path("resource").asString(""),
                                    resource.path("responseKind").path("kind").asString(""),
                                    resource.path("scope").asString("").equals("Namespaced")));
                        }
                    }
                }
            }
            return new Document(true, List.copyOf(types), List.copyOf(stale), List.of(), tag);
        }

        private static List<GroupVersions> groups(JsonNode root) {
            var groups = new ArrayList<GroupVersions>();
            for (JsonNode group : root.path("groups")) {
                var versions = new ArrayList<String>();
                versions.add(group.path("preferredVersion").path("version").asString(""));
                for (JsonNode version : group.path("versions")) {
                    versions.add(version.path("version").asString(""));
                }
                groups.add(new GroupVersions(
                        group.path("name").asString(""),
                        versions.stream()
                                .distinct()
                                .filter(text -> !text.isEmpty())
                                .toList()));
            }
            return List.copyOf(groups);
        }
    }
}
