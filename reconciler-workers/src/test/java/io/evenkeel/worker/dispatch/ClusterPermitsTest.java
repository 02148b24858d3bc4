package io.evenkeel.worker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.worker.ledger.Lane;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterPermitsTest {
    private final Set<String> closed = new HashSet<>();
    private final List<String> granted = new ArrayList<>();
    private final Ticket.Holder holder = new Ticket.Holder() {
        @Override
        public void granted(Ticket ticket) {
            granted.add(ticket.key());
        }

        @Override
        public boolean isClosed() {
            return false;
        }
    };

    @Test
    void givenClusterOutOfReach_whenOffered_thenItsTicketsWaitAndTheOthersGoOn() {
        closed.add("dead");
        Permits permits = permits(4, 4);
        offer(permits, "dead", "d1", "d2");
        offer(permits, "alive", "a1", "a2", "a3");
        assertThat(granted).containsExactly("a1", "a2", "a3");
        assertThat(permits.withheld()).isEqualTo(2);
        assertThat(permits.isPressing()).isFalse();

        closed.clear();
        permits.clustersChanged();
        assertThat(granted).containsExactly("a1", "a2", "a3", "d1");
        assertThat(permits.isPressing()).isTrue();
        permits.release("alive");
        assertThat(granted).endsWith("d2");
        assertThat(permits.withheld()).isZero();
    }

    @Test
    void givenClusterThatHoldsItsShare_whenItOffersMore_thenPermitsAreLeftForOthers() {
        Permits permits = permits(4, 2);
        offer(permits, "slow", "s1", "s2", "s3", "s4");
        assertThat(granted).containsExactly("s1", "s2");
        offer(permits, "fast", "f1");
        assertThat(granted).endsWith("f1");
        permits.release("slow");
        assertThat(granted).endsWith("s3");
        permits.release("fast");
        assertThat(granted).hasSize(4).doesNotContain("s4");
        assertThat(permits.running()).isEqualTo(2);
    }

    private Permits permits(int limit, int perCluster) {
        return new Permits(limit, perCluster, new Total(100), cluster -> !closed.contains(cluster));
    }

    private void offer(Permits permits, String cluster, String... keys) {
        for (String key : keys) {
            permits.offer(new Ticket(key, cluster, "default", Lane.NORMAL, holder));
        }
    }
}
