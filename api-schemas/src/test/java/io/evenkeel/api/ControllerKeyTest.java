package io.evenkeel.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControllerKeyTest {
    private static final String OBJECT = "east/apps/Deployment/web/shop";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "7",
                "web-apps",
                "a.b-c.d",
                "a123456789012345678901234567890123456789012345678901234567890bc"
            })
    void givenANameWithinTheRules_whenParsed_thenItIsWrittenTheSame(String name) {
        assertThat(ControllerKey.parse(name + "/" + OBJECT)).hasToString(name + "/" + OBJECT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "a-",
                ".a",
                "a.",
                "Web",
                "a_b",
                "ä",
                "a123456789012345678901234567890123456789012345678901234567890bcd"
            })
    void givenANameAgainstTheRules_whenParsed_thenItIsSaid(String name) {
        assertThatThrownBy(() -> ControllerKey.parse(name + "/" + OBJECT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 63 lower case letters")
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void givenNoController_whenParsed_thenTheFormIsSaid() {
        assertThatThrownBy(() -> ControllerKey.parse("web")).hasMessageContaining("controller/<object key>");
    }
}
