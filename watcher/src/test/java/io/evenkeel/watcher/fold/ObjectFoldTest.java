package io.evenkeel.watcher.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import io.evenkeel.watcher.fold.ObjectState.Known;
import io.evenkeel.watcher.fold.ObjectState.Unknown;
import io.evenkeel.watcher.fold.Sighting.Deleted;
import io.evenkeel.watcher.fold.Sighting.Listed;
import io.evenkeel.watcher.fold.Sighting.Missing;
import io.evenkeel.watcher.fold.Sighting.Upserted;
import io.evenkeel.watcher.frame.SectionHashes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ObjectFoldTest {
    private static final ObjectState UNKNOWN = new Unknown();

    static Stream<Arguments> table() {
        return Stream.of(
                // state, sighting, next state, events
                arguments(UNKNOWN, new Listed(life("a", 5), true), known("a", 5), added("a", 5, Origin.LIST)),
                arguments(UNKNOWN, new Listed(life("a", 5), false), known("a", 5), added("a", 5, Origin.RELIST)),
                arguments(UNKNOWN, new Upserted(life("a", 5), false), known("a", 5), added("a", 5, Origin.WATCH)),
                arguments(UNKNOWN, new Upserted(life("a", 5), true), UNKNOWN, nothing()),
                arguments(UNKNOWN, new Deleted(life("a", 5)), UNKNOWN, nothing()),
                arguments(UNKNOWN, new Missing(1), UNKNOWN, nothing()),
                // the same state again
                arguments(known("a", 5), new Listed(life("a", 5), false), known("a", 5), nothing()),
                arguments(known("a", 5), new Upserted(life("a", 5), false), known("a", 5), nothing()),
                // a later state of the same life
                arguments(
                        known("a", 5), new Listed(life("a", 7), false), known("a", 7), modified("a", 7, Origin.RELIST)),
                arguments(
                        known("a", 5),
                        new Upserted(life("a", 7), false),
                        known("a", 7),
                        modified("a", 7, Origin.WATCH)),
                arguments(
                        known("a", 5), new Upserted(life("a", 7), true), known("a", 7), modified("a", 7, Origin.WATCH)),
                // an earlier one, from a server that lags
                arguments(known("a", 5), new Listed(life("a", 3), false), known("a", 5), nothing()),
                arguments(known("a", 5), new Upserted(life("a", 3), false), known("a", 5), nothing()),
                // another life under the same name
                arguments(
                        known("a", 5),
                        new Listed(life("b", 7), false),
                        known("b", 7),
                        replaced("a", 5, "b", 7, Origin.RELIST)),
                arguments(
                        known("a", 5),
                        new Upserted(life("b", 7), false),
                        known("b", 7),
                        replaced("a", 5, "b", 7, Origin.WATCH)),
                arguments(known("a", 5), new Upserted(life("b", 3), false), known("a", 5), nothing()),
                // ends
                arguments(known("a", 5), new Deleted(life("a", 7)), UNKNOWN, deleted("a", 7, Origin.WATCH, true)),
                arguments(known("a", 5), new Deleted(life("a", 5)), UNKNOWN, deleted("a", 5, Origin.WATCH, true)),
                arguments(known("a", 5), new Deleted(life("a", 3)), known("a", 5), nothing()),
                arguments(known("a", 5), new Deleted(life("b", 7)), UNKNOWN, deleted("a", 5, Origin.WATCH, false)),
                arguments(known("a", 5), new Deleted(life("b", 3)), known("a", 5), nothing()),
                arguments(known("a", 5), new Missing(1), UNKNOWN, deleted("a", 5, Origin.RELIST, false)));
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyStateMeetsEverySighting(
            ObjectState state, Sighting sighting, ObjectState next, List<Emission> emissions) {
        ObjectFold.Step step = ObjectFold.fold(state, sighting);
        assertThat(step.state()).isEqualTo(next);
        assertThat(step.emissions()).isEqualTo(emissions);
    }

    @Test
    void everyPairIsInTheTable() {
        assertThat(table().map(row -> List.of(kind(row, 0), kind(row, 1))).distinct())
                .hasSize(ObjectState.class.getPermittedSubclasses().length
                        * Sighting.class.getPermittedSubclasses().length);
    }

    @ParameterizedTest
    @MethodSource("table")
    void givenAnySighting_whenItIsShownAgain_thenNothingMoreIsSaid(
            ObjectState state, Sighting sighting, ObjectState next, List<Emission> emissions) {
        // After a deletion the frames before it come again too, but only as late ones.
        boolean raises = next instanceof Unknown && sighting instanceof Upserted;
        assertThat(raises ? nothing() : ObjectFold.fold(next, sighting).emissions())
                .isEmpty();
    }

    @Test
    void givenNewEpoch_whenLowerVersionIsListed_thenItIsLater() {
        var restored = new Life(2, "a", new ResourceVersion(3), Optional.empty(), SectionHashes.NONE);
        ObjectFold.Step step = ObjectFold.fold(known("a", 5), new Listed(restored, false));
        assertThat(step.state()).isEqualTo(new Known(restored));
        assertThat(step.emissions()).extracting(Emission::type).containsExactly(ChangeType.MODIFIED);
    }

    @Test
    void givenNewEpoch_whenSameStateIsListed_thenOnlyTheIndexMoves() {
        var same = new Life(2, "a", new ResourceVersion(5), Optional.empty(), SectionHashes.NONE);
        ObjectFold.Step step = ObjectFold.fold(known("a", 5), new Listed(same, false));
        assertThat(step.state()).isEqualTo(new Known(same));
        assertThat(step.emissions()).isEmpty();
    }

    @Test
    void givenNewEpoch_whenObjectIsMissing_thenItsDeletionBelongsToTheNewEpoch() {
        ObjectFold.Step step = ObjectFold.fold(known("a", 5), new Missing(2));
        assertThat(step.emissions())
                .extracting(emission -> emission.life().epoch())
                .containsExactly(2L);
    }

    private static Class<?> kind(Arguments row, int column) {
        return Objects.requireNonNull(row.get()[column]).getClass();
    }

    private static Life life(String uid, long version) {
        return new Life(1, uid, new ResourceVersion(version), Optional.empty(), SectionHashes.NONE);
    }

    private static ObjectState known(String uid, long version) {
        return new Known(life(uid, version));
    }

    private static List<Emission> nothing() {
        return List.of();
    }

    private static List<Emission> added(String uid, long version, Origin origin) {
        return List.of(new Emission(ChangeType.ADDED, origin, life(uid, version), List.of(), true));
    }

    private static List<Emission> modified(String uid, long version, Origin origin) {
        return List.of(new Emission(ChangeType.MODIFIED, origin, life(uid, version), List.of(), true));
    }

    private static List<Emission> deleted(String uid, long version, Origin origin, boolean sighted) {
        return List.of(new Emission(ChangeType.DELETED, origin, life(uid, version), List.of(), sighted));
    }

    private static List<Emission> replaced(String former, long version, String uid, long newVersion, Origin origin) {
        return List.of(
                new Emission(ChangeType.DELETED, origin, life(former, version), List.of(), false),
                new Emission(ChangeType.ADDED, origin, life(uid, newVersion), List.of(), true));
    }
}
