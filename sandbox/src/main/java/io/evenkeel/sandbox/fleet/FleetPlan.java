package io.evenkeel.sandbox.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How large a fleet is and how much happens in it.
 *
 * @param clusters 1 to 10,000
 * @param objects in all clusters together, 0 to 10,000,000; namespaces and definitions come on top
 * @param changesPerSecond in all clusters together, 0 to 1,000,000
 * @param seed the same one gives the same objects and the same changes in the same order in each cluster
 */
public record FleetPlan(int clusters, int objects, int changesPerSecond, long seed) {
    /** The most clusters that one process plays. */
    public static final int MOST_CLUSTERS = 10_000;

    public static final int MOST_OBJECTS = 10_000_000;
    public static final int MOST_CHANGES_PER_SECOND = 1_000_000;

    /** Checks the ranges. */
    public FleetPlan {
        require(clusters >= 1 && clusters <= MOST_CLUSTERS, "clusters", clusters, 1, MOST_CLUSTERS);
        require(objects >= 0 && objects <= MOST_OBJECTS, "objects", objects, 0, MOST_OBJECTS);
        require(
                changesPerSecond >= 0 && changesPerSecond <= MOST_CHANGES_PER_SECOND,
                "changes per second",
                changesPerSecond,
                0,
                MOST_CHANGES_PER_SECOND);
    }

    private static void require(boolean holds, String what, int given, int least, int most) {
        if (!holds) {
            throw new IllegalArgumentException(what + " must be " + least + " to " + most + " but is " + given);
        }
    }

    /** The names of the clusters, all of one length: {@code sim-000} to {@code sim-499}. */
    public List<String> names() {
        int digits = Integer.toString(clusters - 1).length();
        List<String> names = new ArrayList<>(clusters);
        for (int cluster = 0; cluster < clusters; cluster++) {
            names.add(String.format(Locale.ROOT, "sim-%0" + digits + "d", cluster));
        }
        return names;
    }

    /** How many objects a cluster gets; the first ones get what does not divide. */
    int objectsOf(int cluster) {
        return objects / clusters + (cluster < objects % clusters ? 1 : 0);
    }
}
