package io.evenkeel.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TextsTest {
    @Test
    void durationsAreShownInTheirLargestFittingUnit() {
        assertThat(Texts.about(Duration.ofSeconds(-3))).isEqualTo("0 s");
        assertThat(Texts.about(Duration.ofSeconds(90))).isEqualTo("90 s");
        assertThat(Texts.about(Duration.ofMinutes(3))).isEqualTo("3 min");
        assertThat(Texts.about(Duration.ofHours(5))).isEqualTo("5 h");
        assertThat(Texts.about(Duration.ofDays(4))).isEqualTo("4 days");
    }

    @Test
    void longTextIsCutToOneLine() {
        assertThat(Texts.oneLine("a\n b\tc", 10)).isEqualTo("a b c");
        assertThat(Texts.oneLine("abcdef", 4)).isEqualTo("abc…");
    }

    @Test
    void bytesThatAreNoTextDoNotReachTheTerminal() {
        assertThat(Texts.printable(new byte[] {'a', '\n', 27, (byte) 0xff})).isEqualTo("a\n\\x1b\\xff");
    }

    @Test
    void tableColumnsAreAligned() {
        var table = new Table("A", "LONGER", "C");
        table.row("wide cell", "b", "");
        var out = new StringWriter();
        var writer = new PrintWriter(out);

        table.print(writer);

        assertThat(out.toString().lines()).containsExactly("A          LONGER  C", "wide cell  b");
    }
}
