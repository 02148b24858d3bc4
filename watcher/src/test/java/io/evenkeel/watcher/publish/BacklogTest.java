package io.evenkeel.watcher.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class BacklogTest {
    private final Backlog<Item> backlog = new Backlog<>(100);

    @Test
    void givenFullBacklog_whenMoreIsPut_thenItWaitsForRoom() throws Exception {
        assertThat(backlog.put(new Item("first", 80))).isTrue();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Boolean> second =
                    CompletableFuture.supplyAsync(() -> put(new Item("second", 30)), threads);
            assertThat(backlog.poll(Duration.ofSeconds(5))).contains(new Item("first", 80));
            assertThat(second.join()).isTrue();
            assertThat(backlog.poll(Duration.ZERO)).contains(new Item("second", 30));
            assertThat(backlog.poll(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void givenItemLargerThanTheLimit_whenBacklogIsEmpty_thenItIsTaken() throws Exception {
        assertThat(backlog.put(new Item("huge", 1_000))).isTrue();
        assertThat(backlog.poll(Duration.ZERO)).isPresent();
    }

    @Test
    void givenFullBacklog_whenItIsClosed_thenWhoWaitsIsReleased() throws Exception {
        assertThat(backlog.put(new Item("first", 80))).isTrue();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Boolean> second =
                    CompletableFuture.supplyAsync(() -> put(new Item("second", 30)), threads);
            backlog.close();
            await().untilAsserted(() -> assertThat(second).isCompletedWithValue(false));
        }
        assertThat(backlog.poll(Duration.ofSeconds(5))).isEmpty();
    }

    private boolean put(Item item) {
        try {
            return backlog.put(item);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Item(String name, int weight) implements Backlog.Weighted {}
}
