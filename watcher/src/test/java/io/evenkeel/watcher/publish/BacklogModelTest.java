package io.evenkeel.watcher.publish;

import io.evenkeel.watcher.Interleavings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the backlog promises, in interleavings of its threads chosen one after another; one in which all wait for ever fails. */
@Isolated // what is played is instrumented, for all threads of this process
final class BacklogModelTest {
    private static final long LIMIT = 2;

    /** For ever: whoever is not woken shall be found. */
    private static final Duration LONG = Duration.ofDays(1);

    @Test
    void givenTwoWatchesAndNoRoom_whenTheyArePublished_thenNoneIsLostAndEachKeepsItsOrder() {
        Interleavings.play(() -> {
            var backlog = new Backlog<Item>(LIMIT);
            Thread first = Interleavings.thread(() -> put(backlog, new Item("a", 1), new Item("a", 2)));
            Thread second = Interleavings.thread(() -> put(backlog, new Item("b", 2)));
            List<Item> published = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                published.add(backlog.poll(LONG).orElseThrow());
            }
            first.join();
            second.join();
            Interleavings.check(backlog.poll(Duration.ZERO).isEmpty(), "something came twice");
            Interleavings.check(published.contains(new Item("b", 2)), "the second watch's is lost");
            Interleavings.check(
                    published.stream()
                            .filter(item -> item.watch.equals("a"))
                            .toList()
                            .equals(List.of(new Item("a", 1), new Item("a", 2))),
                    "the first watch's are not as they were put");
        });
    }

    /** A watch that waits for room while its partition is given up must hear of it. */
    @Test
    void givenAWatchThatMayWait_whenThePartitionIsGivenUp_thenItIsReleasedAndNothingStays() {
        Interleavings.play(() -> {
            var backlog = new Backlog<Item>(LIMIT);
            Thread closing = Interleavings.thread(backlog::close);
            boolean first = backlog.put(new Item("a", 2));
            boolean second = backlog.put(new Item("a", 2)); // has room only in a closed backlog, which refuses it
            closing.join();
            Interleavings.check(
                    !second && !backlog.put(new Item("a", 1)), "a closed backlog took something; the first: " + first);
            Interleavings.check(backlog.poll(LONG).isEmpty(), "a closed backlog holds something");
        });
    }

    /** The publisher may wait for the next change at that moment. */
    @Test
    void givenAPublisherThatMayWait_whenThePartitionIsGivenUp_thenItIsReleased() {
        Interleavings.play(() -> {
            var backlog = new Backlog<Item>(LIMIT);
            Thread closing = Interleavings.thread(backlog::close);
            Optional<Item> next = backlog.poll(LONG);
            closing.join();
            Interleavings.check(next.isEmpty(), "nobody put something");
        });
    }

    private static void put(Backlog<Item> backlog, Item... items) throws InterruptedException {
        for (Item item : items) {
            Interleavings.check(backlog.put(item), "nobody closed it");
        }
    }

    private record Item(String watch, int weight) implements Backlog.Weighted {}
}
