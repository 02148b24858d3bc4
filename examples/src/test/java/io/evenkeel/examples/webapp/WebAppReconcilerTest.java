package io.evenkeel.examples.webapp;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.examples.webapp.WebApp.Phase;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The whole table, against a cluster of one Deployment. */
class WebAppReconcilerTest {
    private final WebAppReconciler reconciler = new WebAppReconciler();
    private final List<String> writes = new ArrayList<>();
    private final WebApp app = new WebApp();
    private Optional<Deployment> deployment = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();

    WebAppReconcilerTest() {
        app.setMetadata(
                new ObjectMetaBuilder().withName("shop").withGeneration(1L).build());
        app.setSpec(new WebApp.Spec(0, "web:1"));
    }

    @Test
    void givenAnAppWithoutReplicas_whenReconciled_thenItStaysPendingAndNothingIsWritten() throws Exception {
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        assertThat(phase()).isEqualTo(Phase.Pending);
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        assertThat(writes).isEmpty();
    }

    @Test
    void givenAnApp_whenItGoesThroughItsLife_thenEachEdgeWritesOnceAndTheFinalStateNothing() throws Exception {
        scale(2, "web:1");
        assertThat(run()).isEqualTo(Outcome.waiting("Provisioning").withStatus(status()));
        assertThat(writes).containsExactly("apply 2 web:1");
        run();
        assertThat(writes).as("still provisioning").hasSize(1);

        becomeReady();
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        assertThat(phase()).isEqualTo(Phase.Ready);
        run();
        assertThat(writes).as("the final state repeated").hasSize(1);

        scale(3, "web:2");
        run();
        assertThat(phase()).isEqualTo(Phase.Provisioning);
        assertThat(writes).endsWith("apply 3 web:2");
        becomeReady();
        run();
        deployment = Optional.empty(); // somebody deleted it
        run();
        assertThat(phase()).isEqualTo(Phase.Provisioning);
        assertThat(writes).hasSize(3);
        becomeReady();
        run();

        scale(0, "web:2");
        run();
        assertThat(phase()).as("it is gone at once here").isEqualTo(Phase.Pending);
        assertThat(writes).endsWith("delete");
    }

    @Test
    void givenAnErrorAnywhere_whenReconciled_thenItIsToldForFiveSecondsAndComesBack() throws Exception {
        scale(1, "web:1");
        failure = Optional.of(new IllegalStateException("no such image"));
        Outcome failed = run();
        assertThat(failed).isInstanceOfSatisfying(Outcome.RequeueAfter.class, requeue -> {
            assertThat(requeue.delay()).isEqualTo(Duration.ofSeconds(5));
            assertThat(requeue.reason()).isEqualTo("no such image");
        });
        assertThat(phase()).isEqualTo(Phase.Error);
        assertThat(status().error()).isEqualTo("no such image");

        failure = Optional.empty();
        run();
        assertThat(phase()).isEqualTo(Phase.Provisioning);
        assertThat(status().error()).isNull();
    }

    private Outcome run() throws Exception {
        Outcome outcome = reconciler.reconcile(app, context());
        outcome.status().map(WebApp.Status.class::cast).ifPresent(app::setStatus);
        return outcome;
    }

    private WebApp.Status status() {
        return app.getStatus();
    }

    private Phase phase() {
        return status().phase();
    }

    private void scale(int replicas, String image) {
        app.setSpec(new WebApp.Spec(replicas, image));
    }

    private void becomeReady() {
        deployment = deployment.map(made -> new DeploymentBuilder(made)
                .editMetadata()
                .withGeneration(1L)
                .endMetadata()
                .withStatus(new DeploymentStatusBuilder()
                        .withObservedGeneration(1L)
                        .withReadyReplicas(made.getSpec().getReplicas())
                        .build())
                .build());
    }

    /** A context of one Deployment; other questions are mistakes. */
    @SuppressWarnings("unchecked")
    private Context<WebApp> context() {
        return (Context<WebApp>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Context.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    }

    private Object answer(String method, Object[] arguments) throws InvocationTargetException {
        return switch (method) {
            case "secondary" -> deployment;
            case "apply" -> apply((Deployment) arguments[0]);
            case "delete" -> delete((HasMetadata) arguments[0]);
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private Deployment apply(Deployment desired) {
        failure.ifPresent(error -> {
            throw error;
        });
        writes.add("apply " + desired.getSpec().getReplicas() + " "
                + desired.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage());
        deployment = Optional.of(desired);
        return desired;
    }

    private boolean delete(HasMetadata object) {
        writes.add("delete");
        deployment = Optional.empty();
        return object != null;
    }
}
