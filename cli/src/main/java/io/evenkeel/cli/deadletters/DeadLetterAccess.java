package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.settings.Settings;
import java.util.List;

/** What the commands on dead letters have in common: they first read all of them. */
record DeadLetterAccess(DeadLetterTopic topic, DeadLetterTopic.Content content) {
    List<DeadLetter> letters() {
        return content.letters();
    }

    static DeadLetterAccess open(SettingsOptions options, Terminal terminal) {
        Settings settings = options.read(terminal);
        var topic = new DeadLetterTopic(settings.as(KafkaSettings::from), settings.as(TopicSettings::from));
        return new DeadLetterAccess(topic, topic.content());
    }
}
