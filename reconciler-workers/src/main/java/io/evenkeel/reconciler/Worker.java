package io.evenkeel.reconciler;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.runtime.monitoring.HealthChecks;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.role.RoleProcess;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.worker.WorkerConfig;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A worker: a name and its controllers. All processes of one name share the work. Immutable.
 *
 * <pre>{@code
 * Worker.named("memcached-operator")
 *         .reconcile(Memcached.class).owning(Deployment.class).owning(Service.class).with(new MemcachedReconciler())
 *         .run(args);
 * }</pre>
 */
public final class Worker {
    private final String name;
    private final List<Controller<?>> controllers;

    private Worker(String name, List<Controller<?>> controllers) {
        this.name = name;
        this.controllers = List.copyOf(controllers);
    }

    /**
     * A worker without controllers.
     *
     * @param name 1 to 63 lower case letters, digits, {@code -} or {@code .}; its state lies under that name, so it must
     *     stay
     */
    public static Worker named(String name) {
        requireName(name);
        return new Worker(name, List.of());
    }

    /** Begins to describe a controller for objects of {@code type}. */
    public <T extends HasMetadata> Description<T> reconcile(Class<T> type) {
        return new Description<>(this, type, ResourceType.of(type));
    }

    /** As {@link #reconcile(Class)}, for a kind without a Java class. */
    public Description<GenericKubernetesResource> reconcile(ResourceType type) {
        return new Description<>(this, GenericKubernetesResource.class, type);
    }

    /** Name of the worker. */
    public String name() {
        return name;
    }

    /** What it runs. */
    public List<Controller<?>> controllers() {
        return controllers;
    }

    /** Starts the worker in this process; it runs until it is closed. */
    public WorkerProcess start(WorkerConfig config) {
        return WorkerProcess.start(this, config);
    }

    /** As {@link #start(WorkerConfig)}, with meters that are read elsewhere. */
    public WorkerProcess start(WorkerConfig config, MeterRegistry metrics) {
        return WorkerProcess.start(this, config, metrics);
    }

    /**
     * For a {@code main} method: runs the worker as a process of its own until it is told to stop, with settings from
     * the command line, a file and the environment, metrics and health over HTTP. Ends the JVM with the exit code.
     */
    public void run(String... args) {
        ExitCode ended =
                RoleProcess.main("worker", WorkerConfig.CATALOGUE, args, System.getenv(), System.err, this::host);
        System.exit(ended.number());
    }

    /**
     * Starts the worker in a process that is already observed.
     *
     * @return stops it when closed
     * @throws io.evenkeel.runtime.process.StartupException if it can't start
     */
    public WorkerProcess host(Settings settings, RoleProcess.Host host) {
        WorkerProcess process =
                start(settings.as(WorkerConfig::from), host.metrics().registry());
        process.onRefusal(refused -> host.life().fail("worker " + name, refused));
        host.checks().add(HealthChecks.Kind.READY, "worker", process::notReadyBecause);
        host.checks().add(HealthChecks.Kind.LIVE, "worker", process::deadBecause);
        return process;
    }

    private static void requireName(String name) {
        if (!ControllerKey.isName(name)) {
            throw new IllegalArgumentException("a worker's or controller's name has 1 to 63 lower case letters, digits,"
                    + " '-' or '.', and starts and ends with a letter or digit, but this is '" + name + "'");
        }
    }

    private Worker and(Controller<?> controller) {
        if (controllers.stream().anyMatch(other -> other.name().equals(controller.name()))) {
            throw new IllegalArgumentException("worker " + name + " has two controllers named " + controller.name()
                    + ": give one another name with as(…)");
        }
        var more = new ArrayList<>(controllers);
        more.add(controller);
        return new Worker(name, more);
    }

    /**
     * A controller that is being described; {@link #with} ends the description.
     *
     * @param <T> Java class of the primary
     */
    public static final class Description<T extends HasMetadata> {
        private final Worker worker;
        private final Class<T> type;
        private final ResourceType primary;
        private final List<Secondary<T, ?>> secondaries = new ArrayList<>();
        private Filter<T> filter = Filter.all();
        private String name;
        private RunPolicy policy = RunPolicy.STANDARD;
        private Optional<String> finalizer = Optional.empty();

        private Description(Worker worker, Class<T> type, ResourceType primary) {
            this.worker = worker;
            this.type = type;
            this.primary = primary;
            this.name = worker.controllers.isEmpty() ? worker.name : worker.name + "." + primary.plural();
        }

        /** Objects of that kind that the primary controls wake it, and can be read locally. */
        public Description<T> owning(Class<? extends HasMetadata> secondary) {
            return watching(secondary, Link.owner());
        }

        /** As {@link #owning(Class)}; only changes that pass the filter wake the primary. */
        public <S extends HasMetadata> Description<T> owning(Class<S> secondary, Filter<S> when) {
            return watching(secondary, Link.owner(), when);
        }

        /** As {@link #owning(Class)}, for a kind without a Java class; read by {@link Context#secondaries(ResourceType)}. */
        public Description<T> owning(ResourceType secondary) {
            return watching(secondary, Link.owner(), Filter.all());
        }

        /** As {@link #watching(Class, Link, Filter)}, for a kind without a Java class. */
        public Description<T> watching(
                ResourceType secondary,
                Link<T, GenericKubernetesResource> link,
                Filter<GenericKubernetesResource> when) {
            secondaries.add(Secondary.of(secondary, link, when));
            return this;
        }

        /**
         * Objects of that kind wake the primaries that they concern, and can be read locally. A kind may be named more than
         * once, with other links.
         */
        public <S extends HasMetadata> Description<T> watching(Class<S> secondary, Link<T, S> link) {
            return watching(secondary, link, Filter.all());
        }

        /** As {@link #watching(Class, Link)}; only changes that pass the filter wake the primary. */
        public <S extends HasMetadata> Description<T> watching(Class<S> secondary, Link<T, S> link, Filter<S> when) {
            secondaries.add(Secondary.of(secondary, link, when));
            return this;
        }

        /**
         * Only changes of the primary that pass the filter wake the handler; may be called more than once, all must pass.
         * What its secondaries do wakes it all the same, and so do retries and timetables.
         */
        public Description<T> when(Filter<T> changes) {
            this.filter = filter.and(changes);
            return this;
        }

        /** Another name than the worker's own; see {@link Controller#name()}. */
        public Description<T> as(String controllerName) {
            requireName(controllerName);
            this.name = controllerName;
            return this;
        }

        /** Another backoff than {@link Backoff#exponential()}. */
        public Description<T> backoff(Backoff other) {
            this.policy = policy.with(other);
            return this;
        }

        /** Another least time between a failed attempt and one that another event asks for. */
        public Description<T> minimumInterval(Duration interval) {
            this.policy = policy.withMinimumInterval(interval);
            return this;
        }

        /**
         * Another longest time that a handler may take, 1 s to 24 h. One that takes longer is interrupted and its attempt has
         * failed; one that goes on all the same is left behind: it cannot write any more, and holds nothing up.
         */
        public Description<T> attemptTimeout(Duration timeout) {
            this.policy = policy.withAttemptTimeout(timeout);
            return this;
        }

        /** Most attempts at one time in one process, 1 or more; the worker's setting if not given. */
        public Description<T> concurrency(int attempts) {
            this.policy = policy.withConcurrency(attempts);
            return this;
        }

        /**
         * Reconciles each object once a period, give or take a tenth, although nothing changed: for what lies outside
         * Kubernetes. The time is kept on the log.
         *
         * @param period since its last attempt that ended well, 1 s or more
         */
        public Description<T> resync(Duration period) {
            this.policy = policy.with(policy.timetable().every(period));
            return this;
        }

        /**
         * Reconciles each object at the times of a cron expression, in UTC; may be called more than once.
         *
         * @param cron minute, hour, day of the month, month, day of the week, such as {@code 0 3 * * 1-5}
         * @throws IllegalArgumentException if it is no such expression
         */
        public Description<T> schedule(String cron) {
            return schedule(cron, ZoneOffset.UTC);
        }

        /** As {@link #schedule(String)}, in a time zone. */
        public Description<T> schedule(String cron, ZoneId zone) {
            this.policy = policy.with(policy.timetable().at(cron, zone));
            return this;
        }

        /**
         * Says what errors mean, where {@link ErrorClassifier#standard()} does not fit; it is asked first. Outcomes that
         * the handler returns are never asked about.
         */
        public Description<T> classifying(ErrorClassifier classifier) {
            this.policy = policy.with(classifier.or(policy.errors()));
            return this;
        }

        /** Another finalizer than {@code evenkeel.io/<controller>}. */
        public Description<T> finalizer(String domainQualified) {
            this.finalizer = Optional.of(domainQualified);
            return this;
        }

        /** Ends the description: the worker with this controller. */
        public Worker with(Reconciler<T> reconciler) {
            return worker.and(new Controller<>(
                    name,
                    type,
                    primary,
                    filter,
                    secondaries,
                    reconciler,
                    policy,
                    finalizer.orElse("evenkeel.io/" + name)));
        }
    }
}
