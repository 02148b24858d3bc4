package io.evenkeel.cli.explain;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Actor;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.Write;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the chain from event to attempt to write to event. */
@Command(
        name = "why",
        description = {
            "Shows what was done for an object and why: which event caused each attempt, who made the change, which"
                    + " worker ran, what it wrote and the events that came of it.",
            "",
            "Reads the topics only; no worker needs to run."
        })
public final class WhyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Parameters(paramLabel = "KIND/NAME", description = "The object, such as memcached/sessions.")
    private String object = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = "default",
            description = "Its namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace = "default";

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "Its cluster. Default: any.")
    private Optional<String> cluster = Optional.empty();

    @Option(
            names = "--from",
            paramLabel = "WHEN",
            defaultValue = "24h",
            description = "How far back to look: beginning, a time, or how long ago (15m, 2h, 3d). Default:"
                    + " ${DEFAULT-VALUE}.")
    private String from = "24h";

    @Option(
            names = "--attempts",
            paramLabel = "N",
            defaultValue = "10",
            description = "Most attempts to show. Default: ${DEFAULT-VALUE}.")
    private int attempts = 10;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text for people, json for one JSON object per attempt and line. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.text;

    /** How the story is printed; spelled as it is typed. */
    enum Format {
        text,
        json
    }

    /** Made by the command line. */
    public WhyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ObjectQuery query = ObjectQuery.parse(object, namespace, cluster);
        Settings settings = options.read(terminal);
        Story story = Story.read(
                settings.as(KafkaSettings::from),
                settings.as(TopicSettings::from),
                query,
                start(),
                Math.max(1, attempts));
        if (story.attempts().isEmpty()) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "No attempt is known for " + query + " since " + from
                            + ". Look further back with --from, or at what is pending with: evenkeel work");
        }
        switch (format) {
            case text -> print(story);
            case json -> story.attempts().forEach(attempt -> printJson(story, attempt));
        }
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private From start() {
        try {
            return From.parse(from, terminal.clock(), terminal.zone());
        } catch (IllegalArgumentException e) {
            throw new StartupException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private void print(Story story) {
        Optional<String> before = Optional.empty();
        for (AttemptOutcome attempt : story.attempts()) {
            if (!before.equals(Optional.of(attempt.primary()))) {
                ObjectKey key = ObjectKey.parse(attempt.primary());
                terminal.out().println(key.kind() + " " + key.subject() + " on " + key.cluster());
                before = Optional.of(attempt.primary());
            }
            print(story, attempt);
        }
    }

    private void print(Story story, AttemptOutcome attempt) {
        terminal.out().println();
        attempt.causes()
                .forEach(cause -> line(Texts.toMillis(cause.at(), terminal.zone()), "because", because(story, cause)));
        line(
                Texts.toMillis(attempt.startedAt(), terminal.zone()),
                "attempt",
                attempt.controller() + " #" + attempt.attempt() + " on " + attempt.worker() + ": " + ended(attempt));
        attempt.failure()
                .ifPresent(failure -> line(
                        "",
                        "error",
                        failure.type().substring(failure.type().lastIndexOf('.') + 1) + ": "
                                + Texts.oneLine(failure.message(), 200)));
        for (Write write : attempt.writes()) {
            line("", "wrote", wrote(attempt, write));
            story.event(write)
                    .ifPresent(event -> line(
                            Texts.toMillis(event.observedAt(), terminal.zone()), "became", described(event, false)));
        }
        attempt.due().ifPresent(due -> line("", "again", "at " + Texts.toMillis(due, terminal.zone())));
    }

    private void line(String time, String word, String text) {
        terminal.out()
                .println(String.format(Locale.ROOT, "%-23s  %-8s %s", time, word, text)
                        .stripTrailing());
    }

    private static String because(Story story, Cause cause) {
        String type = cause.type().toLowerCase(Locale.ROOT).replace('_', ' ');
        String event = story.event(cause)
                .map(known -> described(known, true))
                .orElseGet(() -> cause.detail()
                        + cause.eventId()
                                .map(id -> " (event " + id + " is no longer kept)")
                                .orElse(""));
        return (type + ": " + event).replaceAll(": $", "");
    }

    private static String described(ChangeEvent event, boolean withActor) {
        String changed = event.changed().isEmpty() ? "" : " " + String.join(", ", event.changed());
        String actor = withActor
                ? event.actors().stream()
                        .filter(who -> who.time().isPresent())
                        .max(Comparator.comparing(who -> who.time().orElseThrow()))
                        .map(Actor::manager)
                        .map(manager -> " by " + manager)
                        .orElse("")
                : "";
        return event.type() + " " + event.kind() + " " + event.key().subject() + " v" + event.resourceVersion()
                + changed + actor;
    }

    private static String ended(AttemptOutcome attempt) {
        Duration took = Duration.between(attempt.startedAt(), attempt.finishedAt());
        return attempt.result().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " after " + took.toMillis() + " ms"
                + (attempt.reason().isEmpty() || attempt.failure().isPresent() ? "" : ", " + attempt.reason());
    }

    private static String wrote(AttemptOutcome attempt, Write write) {
        ObjectKey key = ObjectKey.parse(write.key());
        String what = write.key().equals(attempt.primary()) ? "itself" : key.kind() + " " + key.subject();
        return write.verb() + " " + what
                + write.subresource().map(part -> " " + part).orElse("")
                + write.resourceVersion().map(version -> " as v" + version).orElse("");
    }

    private void printJson(Story story, AttemptOutcome attempt) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("attempt", attempt);
        line.put(
                "causes",
                attempt.causes().stream()
                        .flatMap(cause -> story.event(cause).stream())
                        .map(WhyCommand::brief)
                        .toList());
        line.put(
                "became",
                attempt.writes().stream()
                        .flatMap(write -> story.event(write).stream())
                        .map(WhyCommand::brief)
                        .toList());
        terminal.out().println(new String(Json.write(line), StandardCharsets.UTF_8));
    }

    /** An event without its body. */
    private static Map<String, Object> brief(ChangeEvent event) {
        List<String> actors =
                event.actors().stream().map(Actor::manager).distinct().collect(Collectors.toList());
        Map<String, Object> brief = new LinkedHashMap<>();
        brief.put("object", event.key().toString());
        brief.put("type", event.type());
        brief.put("resourceVersion", event.resourceVersion());
        brief.put("changed", event.changed());
        brief.put("observedAt", event.observedAt());
        brief.put("actors", actors);
        return brief;
    }
}
