package io.evenkeel.watcher;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Secret;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.watcher.connection.ResourceType;
import io.evenkeel.watcher.frame.RedactionRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Settings of one watcher process.
 *
 * @param resources what is watched, each once
 * @param excluded what is left out when everything is watched, unless it is named
 * @param pageSize objects per list page, 1 to 10,000
 * @param maxRecordBytes a record that would be larger goes without its object, 10,000 to 100,000,000; topics and brokers
 *     must take as much
 * @param transactionAge while more is waiting, a transaction is not kept open longer, 1 ms to 10 s
 * @param transactionEvents nor with more events, 1 to 100,000
 * @param backlogBytes what may wait in memory for each partition, 64 KiB or more
 * @param memoryBytes native memory of all stores, 8 MiB or more
 * @param silence a watch that shows nothing for so long is replaced, 1 s or more; servers send a bookmark every 1 to 2 min
 * @param redactionKey key of the hashes that replace values, 16 bytes or more; needed to watch Secrets and by {@code redact}
 * @param stateDir for the index, a cache that is rebuilt at each start; absent for a temporary folder
 * @param groupId the watchers that share the shards; absent for {@code <topics.prefix>watcher}
 * @param redact which values are replaced beside the payload of Secrets
 */
public record WatcherConfig(
        List<WatchedResource> resources,
        List<ResourceName> excluded,
        int pageSize,
        int maxRecordBytes,
        Duration transactionAge,
        int transactionEvents,
        long backlogBytes,
        long memoryBytes,
        Duration silence,
        Optional<Secret> redactionKey,
        Optional<Path> stateDir,
        Optional<String> groupId,
        List<RedactionRule> redact) {
    /** What is watched. */
    public static final Setting<List<String>> RESOURCES = new Setting<>(
            "watcher.resources",
            WatchedResource.ENTRIES,
            List.of(),
            false,
            "resources to watch: <plural>.<group>, or <plural> of the core group, or * for all; each may be followed by"
                    + " -n <namespace> and -l <label selector>");

    /** What is left out of everything. */
    public static final Setting<List<String>> EXCLUDE = Setting.list(
            "watcher.exclude",
            List.of(
                    "events",
                    "events.events.k8s.io",
                    "leases.coordination.k8s.io",
                    "endpointslices.discovery.k8s.io",
                    "secrets"),
            "resources that * leaves out, unless they are named in watcher.resources");

    /** Objects per list page. */
    public static final Setting<Integer> PAGE_SIZE =
            Setting.integer("watcher.page-size", 500, 1, 10_000, "objects per list page");

    /** Largest record. */
    public static final Setting<Integer> MAX_RECORD_BYTES = Setting.integer(
            "watcher.max-record-bytes",
            1_000_000,
            10_000,
            100_000_000,
            "a record that would be larger is published without its object");

    /** Age at which a transaction ends. */
    public static final Setting<Duration> TRANSACTION_MILLIS = Setting.millis(
            "watcher.transaction-millis",
            Duration.ofMillis(100),
            Duration.ofMillis(1),
            Duration.ofSeconds(10),
            "while more is waiting, a transaction is not kept open longer");

    /** Size at which a transaction ends. */
    public static final Setting<Integer> TRANSACTION_EVENTS = Setting.integer(
            "watcher.transaction-events",
            2_000,
            1,
            100_000,
            "while more is waiting, a transaction holds no more events");

    /** What may wait. */
    public static final Setting<Long> BACKLOG_BYTES = Setting.wholeNumber(
            "watcher.backlog-bytes", 4L << 20, 64L << 10, 1L << 30, "what may wait in memory for each partition");

    /** Memory of the index. */
    public static final Setting<Long> MEMORY_BYTES =
            Setting.wholeNumber("watcher.memory-bytes", 64L << 20, 8L << 20, 1L << 40, "native memory of the index");

    /** Longest silence. */
    public static final Setting<Duration> SILENCE_MILLIS = Setting.millis(
            "watcher.silence-millis",
            Duration.ofSeconds(150),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "a watch that shows nothing for so long, not even a bookmark, is replaced");

    /** Key of the hashes. */
    public static final Setting<Optional<Secret>> REDACTION_KEY = Setting.secret(
            "watcher.redaction-key", "key of the hashes that stand for redacted values; 16 bytes or more");

    /** File with the key of the hashes. */
    public static final Setting<Optional<Path>> REDACTION_KEY_FILE =
            Setting.optionalPath("watcher.redaction-key-file", "file with that key, in place of watcher.redaction-key");

    /** What is redacted beside Secrets. */
    public static final Setting<List<String>> REDACT = Setting.list(
            "watcher.redact",
            List.of(),
            "values to replace by hashes, as <resources>: <path>, such as configmaps: .data.password");

    /** Folder of the index. */
    public static final Setting<Optional<Path>> STATE_DIR = Setting.optionalPath(
            "watcher.state-dir", "folder of the index, rebuilt at each start; if left out, a temporary one");

    /** Consumer group. */
    public static final Setting<Optional<String>> GROUP_ID = Setting.optionalText(
            "watcher.group-id", "watchers that share the work; if left out, topics.prefix and 'watcher'");

    /** All settings under {@code watcher.}. */
    public static final Catalogue CATALOGUE = Catalogue.of(
            RESOURCES,
            EXCLUDE,
            PAGE_SIZE,
            MAX_RECORD_BYTES,
            TRANSACTION_MILLIS,
            TRANSACTION_EVENTS,
            BACKLOG_BYTES,
            MEMORY_BYTES,
            SILENCE_MILLIS,
            REDACTION_KEY,
            REDACTION_KEY_FILE,
            REDACT,
            STATE_DIR,
            GROUP_ID);

    private static final int SHORTEST_KEY = 16;

    /** @throws IllegalArgumentException if there is nothing to watch, or the key for Secrets is missing or short */
    public WatcherConfig {
        resources = List.copyOf(resources);
        redact = List.copyOf(redact);
        if (resources.isEmpty()) {
            throw new IllegalArgumentException("watcher.resources must name at least one resource but is empty");
        }
        excluded = List.copyOf(excluded);
        if (resources.stream().map(WatchedResource::name).distinct().count() != resources.size()) {
            throw new IllegalArgumentException("watcher.resources must name each resource once but is " + resources);
        }
        int keyBytes = redactionKey
                .map(key -> key.reveal().getBytes(StandardCharsets.UTF_8).length)
                .orElse(0);
        if (redactionKey.isPresent() && keyBytes < SHORTEST_KEY) {
            throw new IllegalArgumentException("watcher.redaction-key must have 16 bytes or more but has " + keyBytes);
        }
        if (redactionKey.isEmpty() && watchesSecrets(resources, excluded)) {
            throw new IllegalArgumentException("watcher.redaction-key must be set to watch secrets, because their"
                    + " payload is replaced by hashes with this key, but is absent");
        }
        if (redactionKey.isEmpty() && !redact.isEmpty()) {
            throw new IllegalArgumentException(
                    "watcher.redaction-key must be set for watcher.redact, because values are"
                            + " replaced by hashes with this key, but is absent");
        }
    }

    private static boolean watchesSecrets(List<WatchedResource> resources, List<ResourceName> excluded) {
        boolean named =
                resources.stream().flatMap(resource -> resource.name().stream()).anyMatch(ResourceName::isSecrets);
        boolean among = resources.stream().anyMatch(WatchedResource::isEverything)
                && excluded.stream().noneMatch(ResourceName::isSecrets);
        return named || among;
    }

    /**
     * What the settings say.
     *
     * @throws IllegalArgumentException if they don't fit each other
     */
    public static WatcherConfig from(Settings settings) {
        return new WatcherConfig(
                each(RESOURCES, settings, WatchedResource::parse),
                each(EXCLUDE, settings, ResourceName::parse),
                settings.value(PAGE_SIZE),
                settings.value(MAX_RECORD_BYTES),
                settings.value(TRANSACTION_MILLIS),
                settings.value(TRANSACTION_EVENTS),
                settings.value(BACKLOG_BYTES),
                settings.value(MEMORY_BYTES),
                settings.value(SILENCE_MILLIS),
                redactionKey(settings),
                settings.value(STATE_DIR),
                settings.value(GROUP_ID),
                redact(settings));
    }

    private static Optional<Secret> redactionKey(Settings settings) {
        Optional<Secret> key = settings.value(REDACTION_KEY);
        Optional<Path> file = settings.value(REDACTION_KEY_FILE);
        if (key.isPresent() && file.isPresent()) {
            throw new IllegalArgumentException(
                    "watcher.redaction-key and watcher.redaction-key-file are both set; keep one of them");
        }
        return file.isPresent() ? file.map(WatcherConfig::keyIn) : key;
    }

    /** The line end that editors put behind the last line is not part of the key. */
    private static Secret keyIn(Path file) {
        try {
            return new Secret(Files.readString(file).stripTrailing());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "watcher.redaction-key-file names " + file + ", which cannot be read as text: " + e, e);
        }
    }

    private static List<RedactionRule> redact(Settings settings) {
        try {
            return settings.value(REDACT).stream().map(RedactionRule::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "watcher.redact (" + settings.origin(REDACT).describe() + "): " + e.getMessage(), e);
        }
    }

    private static <T> List<T> each(Setting<List<String>> setting, Settings settings, Function<String, T> parser) {
        try {
            return settings.value(setting).stream().map(parser).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting.key() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * The shards of a cluster.
     *
     * @param served what the cluster can list and watch; of no use if only named resources are watched
     */
    public Map<ShardKey, Selection> shards(ClusterDefinition cluster, Collection<ResourceType> served) {
        return new ResourcePlan(resources, excluded).shards(cluster, served);
    }
}
