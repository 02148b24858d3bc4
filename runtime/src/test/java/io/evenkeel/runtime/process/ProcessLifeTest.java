package io.evenkeel.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProcessLifeTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();

    @Test
    void givenParts_whenStopped_thenNewestStopsFirst() throws InterruptedException {
        var life = new ProcessLife(Duration.ofSeconds(5));
        life.add("kafka", () -> closed.add("kafka"));
        life.add("watcher", () -> closed.add("watcher"));

        life.stop();

        assertThat(life.await()).isEqualTo(ExitCode.OK);
        assertThat(closed).containsExactly("watcher", "kafka");
    }

    @Test
    void givenLastWords_whenStopped_thenTheyComeAfterAllPartsAndOnce() {
        var life = new ProcessLife(Duration.ofSeconds(5));
        life.add("kafka", () -> closed.add("kafka"));
        life.lastly(() -> closed.add("last words"));

        life.close();
        life.close();

        assertThat(closed).containsExactly("kafka", "last words");
    }

    @Test
    void givenPartThatHangs_whenStopped_thenTheOthersStillStopAndItIsNamed() {
        var never = new CountDownLatch(1);
        var life = new ProcessLife(Duration.ofMillis(100));
        life.add("kafka", () -> closed.add("kafka"));
        life.add("worker", never::await);

        life.close();

        assertThat(closed).containsExactly("kafka");
        assertThat(life.late()).containsExactly("worker");
    }

    @Test
    void givenPartThatFailsToStop_whenStopped_thenTheOthersStillStop() {
        var life = new ProcessLife(Duration.ofSeconds(5));
        life.add("kafka", () -> closed.add("kafka"));
        life.add("worker", () -> {
            throw new IllegalStateException("on purpose");
        });

        life.close();

        assertThat(closed).containsExactly("kafka");
    }

    @Test
    void givenFailedPart_whenAwaited_thenProcessEndsWithError() throws InterruptedException {
        var life = new ProcessLife(Duration.ofSeconds(5));
        life.add("kafka", () -> closed.add("kafka"));

        life.fail("worker", new IllegalStateException("on purpose"));

        assertThat(life.await()).isEqualTo(ExitCode.ERROR);
        assertThat(closed).containsExactly("kafka");
    }

    @Test
    void givenStoppedProcess_whenClosedAgain_thenPartsStopOnce() {
        var life = new ProcessLife(Duration.ofSeconds(5));
        life.add("kafka", () -> closed.add("kafka"));

        life.close();
        life.close();

        assertThat(closed).containsExactly("kafka");
    }
}
