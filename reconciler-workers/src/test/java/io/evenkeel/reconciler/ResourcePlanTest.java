package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.reconciler.ResourcePlan.Part;
import io.evenkeel.reconciler.ResourcePlan.Stage;
import io.evenkeel.worker.harness.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourcePlanTest {
    private final Map<String, ConfigMap> present = new LinkedHashMap<>();
    private final Set<String> unready = new HashSet<>();
    private final Set<String> unwanted = new HashSet<>();
    private final List<String> writes = new ArrayList<>();
    private final ResourcePlan<Widget> plan = ResourcePlan.<Widget>draft()
            .part(part("web", "cache", "database"))
            .part(part("cache", "database"))
            .part(part("database"))
            .build();

    @Test
    void givenPartsThatDependOnEachOther_whenCarriedOut_thenEachIsMadeWhenThoseBeforeItAreReady() {
        unready.add("database");
        ResourcePlan.Progress begun = plan.carryOut(new Widget(), context());
        assertThat(writes).containsExactly("apply database");
        assertThat(begun.stages())
                .containsExactly(
                        Map.entry("database", Stage.APPLIED),
                        Map.entry("cache", Stage.BLOCKED),
                        Map.entry("web", Stage.BLOCKED));
        assertThat(begun.isComplete()).isFalse();
        assertThat(begun.conditions(null, context())).singleElement().satisfies(condition -> {
            assertThat(condition.getStatus()).isEqualTo("False");
            assertThat(condition.getMessage()).isEqualTo("database is applied, cache is blocked, web is blocked");
        });

        unready.clear();
        writes.clear();
        ResourcePlan.Progress done = plan.carryOut(new Widget(), context());
        assertThat(writes).containsExactly("apply database", "apply cache", "apply web");
        assertThat(done.isComplete()).isTrue();
    }

    @Test
    void givenPartsThatAreNoLongerWanted_whenCarriedOut_thenTheyGoInReverseOrderOneAfterAnother() {
        plan.carryOut(new Widget(), context());
        writes.clear();
        unwanted.addAll(Set.of("cache", "web"));
        ResourcePlan.Progress first = plan.carryOut(new Widget(), context());
        assertThat(writes).containsExactly("apply database", "delete web");
        assertThat(first.stages()).containsEntry("web", Stage.REMOVING).containsEntry("cache", Stage.REMOVING);
        writes.clear();
        plan.carryOut(new Widget(), context());
        assertThat(writes).containsExactly("apply database", "delete cache");
        assertThat(plan.carryOut(new Widget(), context()).isComplete()).isTrue();
    }

    /** Somebody deleted the part between: the first must wait for the last all the same. */
    @Test
    void givenAPartBetweenThatIsGone_whenAllAreRemoved_thenTheFirstWaitsForTheLast() {
        plan.carryOut(new Widget(), context());
        present.remove("cache");
        unwanted.addAll(Set.of("web", "cache", "database"));
        writes.clear();
        assertThat(plan.carryOut(new Widget(), context()).stages())
                .containsEntry("web", Stage.REMOVING)
                .containsEntry("cache", Stage.ABSENT)
                .containsEntry("database", Stage.REMOVING);
        assertThat(writes).containsExactly("delete web");
        plan.carryOut(new Widget(), context());
        assertThat(writes).containsExactly("delete web", "delete database");
    }

    @Test
    void givenACircle_whenBuilt_thenItsPathIsNamed() {
        var draft = ResourcePlan.<Widget>draft()
                .part(part("a", "b"))
                .part(part("b", "c"))
                .part(part("c", "b"));
        assertThatThrownBy(draft::build).hasMessageContaining("b -> c -> b");
    }

    @Test
    void givenAnUnknownOrRepeatedName_whenBuilt_thenItIsNamed() {
        assertThatThrownBy(
                        () -> ResourcePlan.<Widget>draft().part(part("a", "x")).build())
                .hasMessageContaining("part a depends on x, which is not in the plan");
        assertThatThrownBy(() -> ResourcePlan.<Widget>draft().part(part("a")).part(part("a")))
                .hasMessageContaining("two parts of the plan are named a");
    }

    private Part<Widget, ConfigMap> part(String name, String... dependsOn) {
        return new Part<>(
                name,
                ConfigMap.class,
                widget -> named(name),
                Set.of(dependsOn),
                (widget, context) -> !unwanted.contains(name),
                applied -> !unready.contains(name));
    }

    private static ConfigMap named(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    @SuppressWarnings("unchecked")
    private Context<Widget> context() {
        return (Context<Widget>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Context.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "apply" -> {
                        ConfigMap desired = (ConfigMap) arguments[0];
                        writes.add("apply " + desired.getMetadata().getName());
                        present.put(desired.getMetadata().getName(), desired);
                        yield desired;
                    }
                    case "delete" -> {
                        String name = ((HasMetadata) arguments[0]).getMetadata().getName();
                        writes.add("delete " + name);
                        yield present.remove(name) != null;
                    }
                    case "secondary" -> Optional.ofNullable(present.get((String) arguments[1]));
                    case "now" -> Instant.EPOCH;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
