package io.evenkeel.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.runtime.cluster.Reading.Found;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ClusterBookTest {
    private final Map<String, Found> found = new HashMap<>();

    @Test
    void givenGoodDefinition_whenItGoesBad_thenItsLastGoodVersionStaysAndTheOthersMove() {
        found.put("a", good("eu-1", "old"));
        found.put("b", good("eu-2", "old"));
        ClusterBook before = look(ClusterBook.EMPTY);
        found.put("a", new Found.Bad("it is no YAML"));
        found.put("b", good("eu-2", "new"));
        ClusterBook after = look(before);
        assertThat(after.byName()).containsOnlyKeys("eu-1", "eu-2");
        assertThat(after.byName().get("eu-1")).isEqualTo(before.byName().get("eu-1"));
        assertThat(after.byName().get("eu-2")).isNotEqualTo(before.byName().get("eu-2"));
        assertThat(after.problems()).hasToString("[a: it is no YAML; its last good version stays in use]");
    }

    @Test
    void givenDefinition_whenItIsRemovedOrMissing_thenItGoes() {
        found.put("a", good("eu-1", "x"));
        found.put("b", good("eu-2", "x"));
        ClusterBook before = look(ClusterBook.EMPTY);
        found.remove("a");
        found.put("b", new Found.Missing("there is no such context"));
        ClusterBook after = look(before);
        assertThat(after.byName()).isEmpty();
        assertThat(after.problems()).hasToString("[b: there is no such context]");
    }

    @Test
    void givenALookThatFindsNothingOut_whenTaken_thenEverythingStays() {
        found.put("a", good("eu-1", "x"));
        ClusterBook before = look(ClusterBook.EMPTY);
        ClusterBook after = before.after(new ClusterProblem("folder", "it cannot be read"));
        assertThat(after.byName()).isEqualTo(before.byName());
        assertThat(after.problems()).hasSize(1);
    }

    @Test
    void givenTwoOfOneIdAtOnce_whenTaken_thenNeitherIsChosenByChance() {
        found.put("a", good("eu-1", "x"));
        found.put("b", good("eu-1", "y"));
        found.put("c", good("eu-2", "z"));
        ClusterBook book = look(ClusterBook.EMPTY);
        assertThat(book.byName()).containsOnlyKeys("eu-2");
        assertThat(book.problems())
                .hasToString("[a: cluster eu-1 is also defined by b; give one of them another id,"
                        + " b: cluster eu-1 is also defined by a; give one of them another id]");
    }

    @Test
    void givenACluster_whenAnotherClaimsItsId_thenTheFirstKeepsIt() {
        found.put("b", good("eu-1", "first"));
        ClusterBook before = look(ClusterBook.EMPTY);
        found.put("a", good("eu-1", "second"));
        ClusterBook after = look(before);
        assertThat(after.byName()).isEqualTo(before.byName());
        assertThat(after.problems()).extracting(ClusterProblem::where).containsExactly("a");
    }

    @Test
    void givenAClusterThatTakesTheIdOfAnother_whenTaken_thenItKeepsItsFormerOne() {
        found.put("a", good("eu-1", "x"));
        found.put("b", good("eu-2", "y"));
        ClusterBook before = look(ClusterBook.EMPTY);
        found.put("a", good("eu-2", "x"));
        ClusterBook after = look(before);
        assertThat(after.byName()).isEqualTo(before.byName());
        assertThat(after.problems()).extracting(ClusterProblem::where).containsExactly("a");
    }

    private ClusterBook look(ClusterBook book) {
        return book.after(new Reading(found));
    }

    private static Found good(String name, String context) {
        return new Found.Good(new ClusterDefinition(
                name,
                new ClusterAccess.Ambient(Optional.of(Path.of("kubeconfig")), Optional.of(context)),
                Optional.empty()));
    }
}
