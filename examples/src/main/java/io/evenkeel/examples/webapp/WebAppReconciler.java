package io.evenkeel.examples.webapp;

import static io.evenkeel.examples.webapp.WebApp.Phase.Error;
import static io.evenkeel.examples.webapp.WebApp.Phase.Pending;
import static io.evenkeel.examples.webapp.WebApp.Phase.Provisioning;
import static io.evenkeel.examples.webapp.WebApp.Phase.Ready;
import static io.evenkeel.examples.webapp.WebApp.Phase.ScalingDown;

import io.evenkeel.examples.webapp.WebApp.Phase;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.StateMachine;
import io.evenkeel.reconciler.StateMachineReconciler;
import io.evenkeel.reconciler.Worker;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Scales a web application up, down and to nothing, and comes back from errors. */
public final class WebAppReconciler extends StateMachineReconciler<WebApp, Phase> {
    /** The reconciler with its table. */
    public WebAppReconciler() {
        super(StateMachine.<WebApp, Phase>startingAt(Pending)
                .edge(Pending, Provisioning, (app, context) -> wanted(app) > 0)
                .edge(Provisioning, ScalingDown, (app, context) -> wanted(app) == 0)
                .edge(Provisioning, Ready, WebAppReconciler::isReady)
                .edge(Ready, ScalingDown, (app, context) -> wanted(app) == 0)
                .edge(Ready, Provisioning, (app, context) -> !isReady(app, context)) // scaled, changed or lost
                .edge(
                        ScalingDown,
                        Pending,
                        (app, context) -> deployment(context).isEmpty())
                .edge(Error, Pending, (app, context) -> deployment(context).isEmpty())
                .edge(Error, Provisioning, (app, context) -> true)
                .settledIn(Pending, Ready)
                .errorsTo(Error, Duration.ofSeconds(5))
                .build());
    }

    /** The worker with its one controller. */
    public static Worker worker() {
        return Worker.named("webapp-operator")
                .reconcile(WebApp.class)
                .owning(Deployment.class)
                .with(new WebAppReconciler());
    }

    @Override
    protected Optional<Phase> stateOf(WebApp app) {
        return Optional.ofNullable(app.getStatus()).map(WebApp.Status::phase);
    }

    @Override
    protected void transitionTo(Phase next, WebApp app, Context<WebApp> context) {
        switch (next) {
            case Provisioning -> context.apply(desired(app));
            case ScalingDown -> deployment(context).ifPresent(context::delete);
            case Pending, Ready, Error -> {}
        }
    }

    @Override
    protected Object status(Phase phase, Optional<String> error, WebApp app, Context<WebApp> context) {
        return new WebApp.Status(app.getMetadata().getGeneration(), phase, error.orElse(null));
    }

    private static int wanted(WebApp app) {
        return app.getSpec().replicas();
    }

    private static Optional<Deployment> deployment(Context<WebApp> context) {
        return context.secondary(Deployment.class);
    }

    /** Whether the Deployment is as wanted, and all of it is there. */
    private static boolean isReady(WebApp app, Context<WebApp> context) {
        return deployment(context)
                .filter(deployment -> Objects.equals(deployment.getSpec().getReplicas(), wanted(app)))
                .filter(deployment -> image(deployment).equals(app.getSpec().image()))
                .filter(deployment -> deployment.getStatus() != null
                        && Objects.equals(
                                deployment.getStatus().getObservedGeneration(),
                                deployment.getMetadata().getGeneration())
                        && Objects.equals(deployment.getStatus().getReadyReplicas(), wanted(app)))
                .isPresent();
    }

    private static String image(Deployment deployment) {
        return deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getImage();
    }

    private static Deployment desired(WebApp app) {
        String name = app.getMetadata().getName();
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(wanted(app))
                .withNewSelector()
                .withMatchLabels(Map.of("app", name))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(Map.of("app", name))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage(app.getSpec().image())
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
