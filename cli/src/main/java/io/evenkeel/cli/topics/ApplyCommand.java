package io.evenkeel.cli.topics;

import io.evenkeel.api.topic.TopicDifference;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.settings.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Creates and mends the topics. */
@Command(
        name = "apply",
        description = {
            "Creates missing topics and sets settings that differ.",
            "",
            "Never removes a topic and never changes a number of partitions; what a person must decide on is printed,"
                    + " with exit code 1."
        })
public final class ApplyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    /** Made by the command line. */
    public ApplyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Settings settings = options.read(terminal);
        TopicLayout layout = settings.as(TopicSettings::from);
        try (var topics = new TopicAdmin(settings.as(KafkaSettings::from), layout, TopicReader.PATIENCE)) {
            TopicAdmin.Applied applied = topics.apply();
            applied.repaired().forEach(difference -> terminal.out().println(done(difference)));
            applied.remaining().forEach(difference -> terminal.out().println(difference.message()));
            if (applied.repaired().isEmpty() && applied.remaining().isEmpty()) {
                terminal.out()
                        .println("Nothing to do: all "
                                + Texts.count(layout.specs().size(), "topic") + " are as they should be.");
            }
            terminal.out().flush();
            return (applied.remaining().isEmpty() ? ExitCode.OK : ExitCode.DIFFERENCES).number();
        }
    }

    private static String done(TopicDifference difference) {
        return switch (difference) {
            case TopicDifference.Missing missing ->
                "created " + missing.topic() + " with "
                        + Texts.count(missing.wanted().partitions(), "partition");
            case TopicDifference.Setting setting ->
                "set " + setting.name() + "=" + setting.wanted() + " on " + setting.topic() + " (was " + setting.found()
                        + ")";
            case TopicDifference.PartitionCount count -> count.message();
            case TopicDifference.TooFewReplicas replicas -> replicas.message();
        };
    }
}
