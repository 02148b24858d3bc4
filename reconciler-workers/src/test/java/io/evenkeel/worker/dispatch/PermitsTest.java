package io.evenkeel.worker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkeel.worker.ledger.Lane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermitsTest {
    private final Partition partition = new Partition();

    @Test
    void givenMoreKeysThanPermits_whenOffered_thenTheRestWaitsUntilOneIsReleased() {
        var permits = new Permits(2, 2, new Total(100), cluster -> true);
        offer(permits, Lane.NORMAL, "a", "b", "c");

        assertThat(partition.granted).containsExactly("a", "b");
        assertThat(permits.running()).isEqualTo(2);
        assertThat(permits.waiting()).isEqualTo(1);
        permits.release(partition.clusters.removeFirst());
        assertThat(partition.granted).containsExactly("a", "b", "c");
        assertThat(permits.waiting()).isZero();
    }

    @Test
    void givenKeysInAllLanes_whenPermitsComeFree_thenTheMostUrgentAreFirst() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        offer(permits, Lane.NORMAL, "running");
        offer(permits, Lane.BACKGROUND, "list");
        offer(permits, Lane.NORMAL, "child");
        offer(permits, Lane.URGENT, "spec", "spec-too");

        release(permits, 4);

        assertThat(partition.granted).containsExactly("running", "spec", "spec-too", "child", "list");
    }

    @Test
    void givenAnEndlessStreamOfUrgentKeys_whenSixteenWereServed_thenTheLowestLaneHadItsTurn() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        offer(permits, Lane.BACKGROUND, "running", "list");
        offer(permits, Lane.URGENT, "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15");

        release(permits, 15);

        assertThat(partition.granted).contains("list").hasSize(16);
    }

    @Test
    void givenAClusterWithManyKeys_whenAnotherHasOne_thenTheyTakeTurns() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        offer(permits, Lane.NORMAL, "running");
        for (int i = 0; i < 10; i++) {
            permits.offer(new Ticket("big-" + i, "big", "default", Lane.NORMAL, partition));
        }
        permits.offer(new Ticket("small", "small", "default", Lane.NORMAL, partition));

        release(permits, 2);

        assertThat(partition.granted).containsExactly("running", "big-0", "small");
    }

    @Test
    void givenANamespaceWithManyKeys_whenAnotherOfTheSameClusterHasOne_thenTheyTakeTurns() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        offer(permits, Lane.NORMAL, "running");
        for (int i = 0; i < 10; i++) {
            permits.offer(new Ticket("big-" + i, "local", "big", Lane.NORMAL, partition));
        }
        permits.offer(new Ticket("small", "local", "small", Lane.NORMAL, partition));

        release(permits, 2);

        assertThat(partition.granted).containsExactly("running", "big-0", "small");
    }

    @Test
    void givenRetriesAndChangesOfSecondaries_whenPermitsComeFree_thenChangesAreFirst() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        offer(permits, Lane.NORMAL, "running");
        offer(permits, Lane.BACKGROUND, "resync");
        offer(permits, Lane.RETRY, "retry");
        offer(permits, Lane.NORMAL, "child");

        release(permits, 3);

        assertThat(partition.granted).containsExactly("running", "child", "resync", "retry");
    }

    /** Keys that fail again and again must not hold up those that were not tried yet. */
    @Test
    void givenManyRetriesAndAFirstList_whenPermitsComeFree_thenRetriesHaveASmallShareUntilTheListIsDone() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        for (int i = 0; i < 80; i++) {
            offer(permits, Lane.RETRY, "retry");
            offer(permits, Lane.BACKGROUND, "fresh");
        }

        release(permits, 79);
        long retries = partition.granted.stream().filter("retry"::equals).count();
        assertThat(retries).isBetween(10L, 15L);
        release(permits, 80);
        assertThat(partition.granted).filteredOn("retry"::equals).hasSize(80);
        assertThat(partition.granted).filteredOn("fresh"::equals).hasSize(80);
    }

    @Test
    void givenTwoControllersAndATotal_whenOneHoldsItAll_thenTheOtherComesNextWhenThereIsRoom() {
        var total = new Total(2);
        var first = new Permits(2, 2, total, cluster -> true);
        var second = new Permits(2, 2, total, cluster -> true);
        offer(first, Lane.NORMAL, "a", "b", "c");
        offer(second, Lane.NORMAL, "x");
        assertThat(partition.granted).containsExactly("a", "b");

        first.release("local");
        first.release("local");

        assertThat(partition.granted).containsExactlyInAnyOrder("a", "b", "c", "x");
        assertThat(first.running() + second.running()).isEqualTo(2);
    }

    @Test
    void givenATotalThatWasRefusedToNobody_whenAllIsReleased_thenItIsWholeAgain() {
        var total = new Total(1);
        var first = new Permits(2, 2, total, cluster -> true);
        var second = new Permits(2, 2, total, cluster -> true);
        for (int i = 0; i < 10; i++) {
            offer(first, Lane.NORMAL, "a" + i);
            offer(second, Lane.NORMAL, "b" + i);
        }
        while (first.running() + second.running() > 0) {
            assertThat(first.running() + second.running()).isEqualTo(1);
            (first.running() > 0 ? first : second).release("local");
        }
        assertThat(partition.granted).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void givenKeysOfAPartitionThatWasGivenAway_whenAPermitComesFree_thenItGoesToAnother() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);
        offer(permits, Lane.NORMAL, "running", "void");
        var other = new Partition();
        permits.offer(new Ticket("other", "local", "default", Lane.NORMAL, other));
        partition.closed = true;

        permits.release(partition.clusters.removeFirst());

        assertThat(partition.granted).containsExactly("running");
        assertThat(other.granted).containsExactly("other");
        assertThat(permits.running()).isEqualTo(1);
    }

    @Test
    void givenAllPermitsAreFree_whenOneIsReleased_thenTheMistakeIsSaid() {
        var permits = new Permits(1, 1, new Total(100), cluster -> true);

        assertThatIllegalStateException().isThrownBy(() -> permits.release("local"));
    }

    private void offer(Permits permits, Lane lane, String... keys) {
        for (String key : keys) {
            permits.offer(new Ticket(key, "local", "default", lane, partition));
        }
    }

    private void release(Permits permits, int times) {
        for (int i = 0; i < times; i++) {
            permits.release(partition.clusters.removeFirst());
        }
    }

    /** Notes what it is granted. */
    private static final class Partition implements Ticket.Holder {
        private final List<String> granted = new ArrayList<>();
        private final List<String> clusters = new ArrayList<>();
        private boolean closed;

        @Override
        public void granted(Ticket ticket) {
            granted.add(ticket.key());
            clusters.add(ticket.cluster());
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }
}
