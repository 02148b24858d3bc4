package io.evenkeel.worker.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerFormatTest {
    static Stream<KeyState> states() {
        Seen seen = Seen.NOTHING.with(new Seen.Change(Ledgers.CHILD, "7", Lane.URGENT, true, Ledgers.cause("CHILD")));
        return Stream.of(
                new KeyState.Idle(),
                Ledgers.pending(Lane.BACKGROUND),
                Ledgers.running().seeing(seen),
                Ledgers.retry(),
                Ledgers.requeue(),
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
