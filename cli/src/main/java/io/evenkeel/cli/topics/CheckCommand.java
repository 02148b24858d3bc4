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
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what is wrong with the topics. */
@Command(name = "check", description = "Says how the topics differ from how they should be; exit code 1 if they do.")
public final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    /** Made by the command line. */
    public CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Settings settings = options.read(terminal);
        TopicLayout layout = settings.as(TopicSettings::from);
        try (var topics = new TopicAdmin(settings.as(KafkaSettings::from), layout, TopicReader.PATIENCE)) {
            List<TopicDifference> differences = topics.check();
            differences.forEach(difference -> terminal.out().println(difference.message()));
            if (differences.isEmpty()) {
                terminal.out()
                        .println("All " + Texts.count(layout.specs().size(), "topic") + " are as they should be.");
            }
            terminal.out().flush();
            return (differences.isEmpty() ? ExitCode.OK : ExitCode.DIFFERENCES).number();
        }
    }
}
