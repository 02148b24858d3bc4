package io.evenkeel.worker.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.record.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerFormatTest {
    private static final Path FIRST_FORMAT = Path.of("src/test/resources/golden/ledger-format-1.txt");

    static Stream<KeyState> states() {
        Seen seen = Seen.NOTHING.with(new Seen.Change(Ledgers.CHILD, "7", Lane.URGENT, true, Ledgers.cause("CHILD")));
        return Stream.of(
                new KeyState.Idle(),
                Ledgers.pending(Lane.BACKGROUND),
                Ledgers.running().seeing(seen),
                Ledgers.retry(),
                Ledgers.requeue(),
                Ledgers.resync(),
                Ledgers.pending(Lane.RETRY),
                Ledgers.parked());
    }

    @ParameterizedTest
    @MethodSource("states")
    void givenEntry_whenWrittenAndRead_thenItIsTheSame(KeyState state) {
        LedgerEntry entry = Ledgers.present(state)
                .at(new Positions(1, -1, Long.MAX_VALUE))
                .with(Ledgers.failures(3))
                .expecting(List.of(new OwnWrite(Ledgers.KEY, "12")))
                .having(List.of(new Applied(Ledgers.CHILD, "uid", "hash")))
                .lettered(true);
        byte[] bytes = LedgerFormat.write(entry);
        assertThat(LedgerFormat.read(bytes)).isEqualTo(entry);
        assertThat(LedgerFormat.isIdle(bytes)).isEqualTo(state instanceof KeyState.Idle);
    }

    @Test
    void givenPrimaryThatLeft_whenWrittenAndRead_thenItIsTheSame() {
        LedgerEntry entry = Ledgers.present(Ledgers.parked()).with(new Primary.Left(Ledgers.sighting(10, 1)));
        assertThat(LedgerFormat.read(LedgerFormat.write(entry))).isEqualTo(entry);
    }

    /** Each line of the file is a name and an entry in that state, as the first format's program wrote it. */
    @Test
    void givenEntriesOfTheFirstFormat_whenRead_thenTheyAreAsTheyWere() throws IOException {
        List<String> lines = Files.readAllLines(FIRST_FORMAT);
        assertThat(lines).hasSize(6);
        for (String line : lines) {
            String name = line.substring(0, line.indexOf(' '));
            byte[] bytes = HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1));
            LedgerEntry entry = LedgerFormat.read(bytes);
            assertThat(LedgerFormat.isIdle(bytes)).as(name).isEqualTo(name.equals("idle"));
            assertThat(entry.state()).as(name).isEqualTo(firstFormat(name));
            assertThat(entry.primary()).as(name).isEqualTo(new Primary.Present(Ledgers.sighting(10, 1)));
            assertThat(entry.positions()).as(name).isEqualTo(new Positions(1, -1, 9));
            assertThat(entry.failures().count()).as(name).isEqualTo(2);
            assertThat(LedgerFormat.read(LedgerFormat.write(entry))).as(name).isEqualTo(entry);
        }
    }

    private static KeyState firstFormat(String name) {
        var cause = new Cause("FIRST", Optional.of("event"), "spec", Ledgers.NOW);
        return switch (name) {
            case "idle" -> new KeyState.Idle();
            case "pending" -> new KeyState.Pending(Lane.NORMAL, List.of(cause));
            case "running" ->
                new KeyState.Running(
                        "attempt",
                        Ledgers.sighting(10, 1),
                        Ledgers.NOW,
                        List.of(cause),
                        new Seen(List.of(new Seen.Change("key", "7", Lane.URGENT, true, cause)), false));
            case "retry" -> Ledgers.retry();
            case "requeue" -> Ledgers.requeue();
            case "parked" -> Ledgers.parked();
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Test
    void givenLaterFormat_whenRead_thenRefusedWithAdvice() {
        byte[] bytes = LedgerFormat.write(LedgerEntry.NEW);
        bytes[0] = 9;
        assertThatThrownBy(() -> LedgerFormat.read(bytes))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("format 9")
                .hasMessageContaining("newer one");
    }

    @Test
    void givenCutBytes_whenRead_thenRefused() {
        byte[] bytes = LedgerFormat.write(Ledgers.present(Ledgers.retry()));
        assertThatThrownBy(() -> LedgerFormat.read(java.util.Arrays.copyOf(bytes, bytes.length - 3)))
                .isInstanceOf(UnknownFormatException.class);
    }
}
