package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerTest {
    private static final ResourceType SITES = new ResourceType("example.com", "v1", "Site", "sites", true);

    @Test
    void givenAClassThatStandsForAnyKind_whenNamed_thenItIsRefusedAndSaysWhatToDo() {
        assertThatThrownBy(() -> Worker.named("sites").reconcile(GenericKubernetesResource.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name the kind, such as new ResourceType(");
        assertThatThrownBy(() -> Worker.named("sites").reconcile(SITES).owning(GenericKubernetesResource.class))
                .hasMessageContaining("name the kind");
    }

    @Test
    void givenAKindWithoutAClass_whenNamed_thenTheControllerHasIt() {
        Worker worker = Worker.named("sites").reconcile(SITES).with((site, context) -> Outcome.done());
        Worker both = worker.reconcile(SITES).with((site, context) -> Outcome.done());

        assertThat(both.controllers())
                .extracting(Controller::name, Controller::primary)
                .containsExactly(tuple("sites", SITES), tuple("sites.sites", SITES));
    }

    @ParameterizedTest
    @CsvSource({
        "Example.com, v1, Site, sites, group",
        "example.com, 1, Site, sites, version",
        "example.com, v1, '', sites, kind",
        "example.com, v1, Site, Sites, plural"
    })
    void givenATypeThatCannotBe_whenMade_thenWhatIsWrongIsNamed(
            String group, String version, String kind, String plural, String wrong) {
        assertThatThrownBy(() -> new ResourceType(group, version, kind, plural, true))
                .hasMessageContaining("a resource type's " + wrong + " cannot be");
    }
}
