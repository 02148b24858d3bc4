package io.evenkeel.runtime.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.runtime.process.StartupException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RoleArgumentsTest {
    @Test
    void givenBothSpellings_whenParsed_thenValuesAreTaken() {
        RoleArguments parsed = RoleArguments.parse("--config", "f.yaml", "--set=a.b=1", "--set", "c.d=x=y");

        assertThat(parsed.file()).contains(Path.of("f.yaml"));
        assertThat(parsed.assignments()).containsExactly("a.b=1", "c.d=x=y");
        assertThat(parsed.help()).isFalse();
    }

    @Test
    void givenUnknownArgument_whenParsed_thenItIsNamedAndOptionsAreListed() {
        assertThatThrownBy(() -> RoleArguments.parse("--port", "1"))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("'--port' is not understood.")
                .hasMessageContaining("--set KEY=VALUE");
    }

    @Test
    void givenOptionWithoutValue_whenParsed_thenItIsRefused() {
        assertThatThrownBy(() -> RoleArguments.parse("--config")).hasMessageStartingWith("--config needs a value.");
    }
}
