package io.evenkeel.cli.role;

import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.settings.Settings;

/** Looks at the topics before a role starts. */
final class Topics {
    private Topics() {}

    /**
     * Refuses to go on with topics that are not as they should be: keys would be looked for on the wrong partitions.
     *
     * @throws io.evenkeel.runtime.process.StartupException if so, or if Kafka can't be reached
     */
    static void require(Settings settings) {
        try (var topics = new TopicAdmin(settings.as(KafkaSettings::from), settings.as(TopicSettings::from))) {
            topics.require();
        }
    }
}
