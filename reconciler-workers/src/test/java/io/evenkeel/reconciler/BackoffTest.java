package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final RandomGenerator LEAST = () -> 0;

    private final RandomGenerator random = new SplittableRandom(7);

    @Test
    void givenTheDefault_whenAttemptsFail_thenDelaysDoubleAndTheFifthFailureIsTheLast() {
        List<Optional<Long>> millis = IntStream.rangeClosed(1, 5)
                .mapToObj(failures ->
                        Backoff.exponential().delayAfter(failures, LEAST).map(Duration::toMillis))
                .toList();

        assertThat(millis)
                .containsExactly(
                        Optional.of(100L), Optional.of(200L), Optional.of(400L), Optional.of(800L), Optional.empty());
    }

    @Test
    void givenJitter_whenManyFailAtOnce_thenTheyAreSpreadOverAllOfIt() {
        List<Long> millis = IntStream.range(0, 2_000)
                .mapToObj(i -> Backoff.exponential()
                        .delayAfter(1, random)
                        .orElseThrow()
                        .toMillis())
                .toList();

        assertThat(millis).allSatisfy(delay -> assertThat(delay).isBetween(100L, 200L));
        assertThat(millis.stream().distinct()).hasSizeGreaterThan(90);
        assertThat(millis).contains(100L, 200L);
    }

    @Test
    void givenManyFailures_whenItGoesOnForEver_thenTheDelayStaysAtItsCap() {
        Backoff backoff = Backoff.exponential().forEver();

        assertThat(backoff.delayAfter(12, LEAST)).contains(Duration.ofMillis(204_800));
        assertThat(backoff.delayAfter(13, random)).contains(Duration.ofMinutes(5));
        assertThat(backoff.delayAfter(1_000_000, random)).contains(Duration.ofMinutes(5));
    }

    @Test
    void givenFixed_whenAttemptsFail_thenTheDelayIsAlwaysTheSame() {
        Backoff backoff = Backoff.fixed(Duration.ofSeconds(2)).upTo(3);

        assertThat(backoff.delayAfter(1, random)).contains(Duration.ofSeconds(2));
        assertThat(backoff.delayAfter(2, random)).contains(Duration.ofSeconds(2));
        assertThat(backoff.delayAfter(3, random)).isEmpty();
    }

    @Test
    void givenPartsOutOfRange_whenMade_thenTheMessageNamesThem() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ZERO, 2, second, second, 5))
                .withMessageContaining("base must be 1 ms or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(second, 0.5, second, second, 5))
                .withMessageContaining("factor must be 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(second, 2, second, Duration.ofMillis(999), 5))
                .withMessageContaining("cap must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.exponential().upTo(0))
                .withMessageContaining("attempts must be 1 or more");
    }
}
