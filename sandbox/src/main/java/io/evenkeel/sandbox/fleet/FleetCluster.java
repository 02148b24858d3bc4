package io.evenkeel.sandbox.fleet;

import io.evenkeel.sandbox.kube.api.Uid;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Fills one cluster and then changes it, one write at a time; its seed alone decides what happens. Objects live in
 * slots: what is deleted comes back under a new name with the next change. Not thread-safe.
 *
 * <p>What an object is made of follows from the seed, its slot and how often the slot was used, so that of a million
 * objects only the revision and the time of creation need to be remembered.
 */
final class FleetCluster {
    private static final int NAMESPACES = 10;
    private static final int APPS = 40;
    private static final int DELETED_PERCENT = 1;
    private static final int NOTHING = -1;
    /** The kinds of all slots behind the first of each kind, by weight and well mixed. */
    private static final List<FleetKind> SCHEDULE = schedule();

    private final Cluster cluster;
    private final Requests requests;
    private final Map<String, Prototype> prototypes;
    private final Clock clock;
    private final long seed;
    private final SplittableRandom random;
    private final int[] lives;
    private final int[] createdAtSeconds;
    private final long[] revisions;
    private int absent = NOTHING;
    private long changes;

    FleetCluster(Cluster cluster, int objects, Map<String, Prototype> prototypes, Clock clock, long seed) {
        this.cluster = cluster;
        this.requests = new Requests(cluster);
        this.prototypes = prototypes;
        this.clock = clock;
        this.seed = seed;
        random = new SplittableRandom(seed);
        lives = new int[objects];
        createdAtSeconds = new int[objects];
        revisions = new long[objects];
    }

    private static List<FleetKind> schedule() {
        List<FleetKind> sorted = new ArrayList<>();
        for (FleetKind kind : FleetKind.all()) {
            for (int i = 0; i < kind.weight(); i++) {
                sorted.add(kind);
            }
        }
        int step = 37; // has no factor in common with 100, so that each is taken once
        List<FleetKind> mixed = new ArrayList<>();
        for (int i = 0; i < sorted.size(); i++) {
            mixed.add(sorted.get(i * step % sorted.size()));
        }
        return List.copyOf(mixed);
    }

    private static FleetKind kind(int slot) {
        List<FleetKind> kinds = FleetKind.all();
        return slot < kinds.size() ? kinds.get(slot) : SCHEDULE.get(slot % SCHEDULE.size());
    }

    /** Makes definitions, namespaces and all objects. */
    void fill() {
        requests.prepare(
                IntStream.range(0, NAMESPACES).mapToObj(FleetCluster::namespace).toList());
        for (int slot = 0; slot < lives.length; slot++) {
            create(slot);
        }
    }

    /** Makes the next change; does nothing in an empty cluster. */
    void change() {
        if (lives.length == 0) {
            return;
        }
        changes++;
        if (absent != NOTHING) {
            create(absent);
            absent = NOTHING;
            return;
        }
        int slot = random.nextInt(lives.length);
        if (random.nextInt(100) < DELETED_PERCENT) {
            requests.delete(kind(slot), namespace(slot), name(slot));
            lives[slot]++;
            absent = slot;
        } else {
            modify(slot, Integer.toString(random.nextInt(10)));
        }
    }

    private void create(int slot) {
        FleetKind kind = kind(slot);
        createdAtSeconds[slot] = (int) clock.instant().getEpochSecond();
        Map<String, String> values = values(slot);
        revisions[slot] = cluster.takeOver(kind.type(), key(slot), 0, revision -> {
            values.put("revision", Long.toString(revision));
            return prototype(kind).created().fill(values);
        });
    }

    private void modify(int slot, String digit) {
        FleetKind kind = kind(slot);
        Map<String, String> values = values(slot);
        values.put("change", Long.toString(changes));
        values.put("newdigit", digit);
        values.put("newtime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        long written = cluster.takeOver(kind.type(), key(slot), revisions[slot], revision -> {
            values.put("revision", Long.toString(revision));
            return prototype(kind).changed().fill(values);
        });
        if (written == 0) {
            // Somebody else has written this object: what they wrote must stay.
            values.put("digit", digit);
            requests.change(kind, namespace(slot), name(slot), kind.change().fill(values));
        } else {
            revisions[slot] = written;
        }
    }

    private Prototype prototype(FleetKind kind) {
        Prototype prototype = prototypes.get(kind.plural());
        if (prototype == null) {
            throw new IllegalStateException("no prototype of " + kind.kind());
        }
        return prototype;
    }

    private static String key(FleetKind kind, String namespace, String name) {
        return kind.namespaced() ? namespace + "/" + name : name;
    }

    private String key(int slot) {
        return key(kind(slot), namespace(slot), name(slot));
    }

    private String name(int slot) {
        String name = kind(slot).singular() + "-" + slot;
        return lives[slot] == 0 ? name : name + "-" + lives[slot];
    }

    private static String namespace(int number) {
        return "team-" + number % NAMESPACES;
    }

    private Map<String, String> values(int slot) {
        var own = new SplittableRandom(seed + ((long) slot << Integer.SIZE) + lives[slot]);
        Map<String, String> values = new HashMap<>();
        values.put("name", name(slot));
        values.put("namespace", namespace(slot));
        values.put("app", "app-" + slot % APPS);
        values.put("digit", Integer.toString(own.nextInt(10)));
        values.put("hash", Long.toHexString(own.nextLong() | Long.MIN_VALUE));
        values.put("uid", Uid.from(own));
        values.put("time", Instant.ofEpochSecond(createdAtSeconds[slot]).toString());
        return values;
    }
}
