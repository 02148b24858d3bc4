package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Simulated CronJob controller: makes a Job when its time has come. Used by the thread of the controllers only. */
final class CronJobs implements Controllers.Controller {
    static final ObjectType TYPE = new ObjectType("batch", "cronjobs");
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private final Objects objects;
    private final Controllers controllers;
    private final Clock clock;
    private final Set<String> scheduled = new HashSet<>();

    CronJobs(Objects objects, Controllers controllers, Clock clock) {
        this.objects = objects;
        this.controllers = controllers;
        this.clock = clock;
    }

    @Override
    public void onChange(Change change) {
        if (change.type().equals(TYPE) && change.kind() != Change.Kind.DELETED) {
            String key = change.after().key();
            if (scheduled.add(key)) {
                look(key);
            } else {
                objects.find(TYPE, key).ifPresent(this::runIfDue);
            }
        }
    }

    /** Runs what is due and comes back when the next run may be. */
    private void look(String key) {
        Optional<ObjectNode> found = objects.find(TYPE, key);
        if (found.isEmpty()) {
            scheduled.remove(key);
            return;
        }
        runIfDue(found.get());
        Instant now = clock.instant();
        Duration wait = schedule(found.get())
                .flatMap(schedule -> schedule.after(now))
                .map(next -> Duration.between(now, next))
                .filter(next -> next.compareTo(LONGEST_SLEEP) < 0)
                .orElse(LONGEST_SLEEP);
        controllers.schedule(wait, () -> look(key));
    }

    /** Of the times that were missed only the newest counts. */
    private void runIfDue(ObjectNode cronJob) {
        if (!Json.truth(cronJob, "spec", "suspend")) {
            schedule(cronJob)
                    .flatMap(schedule -> schedule.newest(last(cronJob), clock.instant()))
                    .ifPresent(due -> run(cronJob, due));
        }
    }

    private static Optional<CronSchedule> schedule(ObjectNode cronJob) {
        return CronSchedule.parse(Json.text(cronJob, "spec", "schedule"));
    }

    private static Instant last(ObjectNode cronJob) {
        return Json.at(cronJob, "status", "lastScheduleTime")
                .or(() -> Json.at(cronJob, "metadata", "creationTimestamp"))
                .map(time -> Instant.parse(Json.plain(time)))
                .orElse(Instant.EPOCH);
    }

    private void run(ObjectNode cronJob, Instant due) {
        String name = Json.text(cronJob, "metadata", "name") + "-" + due.getEpochSecond() / 60;
        String namespace = Json.text(cronJob, "metadata", "namespace");
        if (objects.find(Jobs.TYPE, namespace + "/" + name).isEmpty()) {
            ObjectNode job = Children.ownedBy(cronJob);
            Json.metadata(job).put("name", name);
            job.set(
                    "spec",
                    cronJob.path("spec").path("jobTemplate").path("spec").deepCopy());
            objects.create(Jobs.TYPE, Children.MANAGER, job);
        }
        objects.modify(TYPE, Objects.key(cronJob), "status", Children.MANAGER, changed -> {
            Json.child(changed, "status").put("lastScheduleTime", due.toString());
            return changed;
        });
    }
}
