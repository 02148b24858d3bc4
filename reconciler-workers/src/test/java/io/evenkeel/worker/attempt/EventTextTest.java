package io.evenkeel.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {
    private static final String SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

    @ParameterizedTest
    @ValueSource(strings = {"web", "web.shop", "system:node", "Admin", "a..b", "a-.b", "a.-b", "ends-"})
    void givenNamesOfObjects_whenAnEventIsNamedAfterThem_thenItsNameIsADnsSubdomain(String name) {
        assertThat(EventText.namePrefix(name) + ".0a").matches(SUBDOMAIN);
    }

    @Test
    void givenALongName_whenCutAtADotOrDash_thenItIsStillADnsSubdomain() {
        for (String end : new String[] {"-", ".", "-.-"}) {
            String name = "a".repeat(199) + end + "b".repeat(40);
            String prefix = EventText.namePrefix(name);
            assertThat(prefix).hasSizeLessThanOrEqualTo(200);
            assertThat(prefix + ".0a").matches(SUBDOMAIN);
        }
    }

    /** The API server counts bytes. */
    @Test
    void givenALongNote_whenCut_thenItHasAtMost1024BytesAndNoHalfCharacter() {
        String note = "x".repeat(1_022) + "äöü";
        assertThat(EventText.note(note)).isEqualTo("x".repeat(1_022) + "ä");
        String flags = "\uD83D\uDE00".repeat(300);
        assertThat(EventText.note(flags).getBytes(StandardCharsets.UTF_8)).hasSize(1_024);
        assertThat(EventText.note("short")).isEqualTo("short");
        assertThat(EventText.reason("r".repeat(200))).hasSize(128);
    }
}
