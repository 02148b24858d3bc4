package io.evenkeel.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaSettingsTest {
    @Test
    void givenNoBroker_whenBuilt_thenSettingIsNamed() {
        assertThatThrownBy(() -> Settings.defaults(KafkaSettings.CATALOGUE).as(KafkaSettings::from))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("kafka.bootstrap.servers must name at least one broker");
    }

    @Test
    void givenConfiguredProperty_whenAClientNeedsAnother_thenTheClientWins() {
        var kafka = new KafkaSettings(Map.of("bootstrap.servers", "a:1", "acks", "0"));

        assertThat(kafka.with(Map.of("acks", "all"))).containsEntry("acks", "all");
    }

    @Test
    void givenPassword_whenShown_thenItIsHidden() {
        var kafka = new KafkaSettings(Map.of("bootstrap.servers", "a:1", "ssl.key.password", "abc"));

        assertThat(kafka).hasToString("KafkaSettings[bootstrap.servers=a:1, ssl.key.password=[hidden]]");
    }

    @Test
    void defaultsOfTopicsAreThese() {
        assertThat(TopicSettings.from(Settings.defaults(TopicSettings.CATALOGUE)))
                .isEqualTo(new TopicLayout("evenkeel.", 12, 12, (short) 3, (short) 2));
    }
}
