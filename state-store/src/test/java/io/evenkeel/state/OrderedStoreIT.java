package io.evenkeel.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OrderedStoreIT {
    @TempDir
    Path folder;

    @Test
    void givenKeysOfTwoPrefixes_whenOneIsScanned_thenItsEntriesComeInOrder() {
        try (var memory = new BoundedMemory(8 << 20);
                var store = OrderedStore.open(folder, memory)) {
            store.put(bytes("a/2"), bytes("two"));
            store.put(bytes("a/1"), bytes("one"));
            store.put(bytes("b/1"), bytes("other"));
            assertThat(scan(store, "a/")).containsExactly("a/1=one", "a/2=two");
        }
    }

    @Test
    void givenScan_whenTheVisitorDeletes_thenItStillSeesAllAndTheStoreIsEmpty() {
        try (var memory = new BoundedMemory(8 << 20);
                var store = OrderedStore.open(folder, memory)) {
            store.put(bytes("a/1"), bytes("one"));
            store.put(bytes("a/2"), bytes("two"));
            var seen = new ArrayList<String>();
            store.scan(bytes("a/"), (key, value) -> {
                store.delete(bytes("a/2"));
                store.delete(key);
                return seen.add(new String(key, UTF_8));
            });
            assertThat(seen).containsExactly("a/1", "a/2");
            assertThat(scan(store, "a/")).isEmpty();
        }
    }

    @Test
    void givenBatch_whenWritten_thenAllItsChangesAreThere() {
        try (var memory = new BoundedMemory(8 << 20);
                var store = OrderedStore.open(folder, memory);
                var changes = new OrderedStore.Changes()) {
            store.put(bytes("gone"), bytes("x"));
            store.write(changes.put(bytes("new"), bytes("y")).delete(bytes("gone")));
            assertThat(store.get(bytes("new"))).contains(bytes("y"));
            assertThat(store.get(bytes("gone"))).isEmpty();
        }
    }

    @Test
    void givenPrefix_whenAllIsDeleted_thenTheNeighboursStay() {
        try (var memory = new BoundedMemory(8 << 20);
                var store = OrderedStore.open(folder, memory)) {
            store.put(bytes("a/1"), bytes("one"));
            store.put(bytes("a0"), bytes("neighbour"));
            store.deleteAll(bytes("a/"));
            assertThat(scan(store, "a")).containsExactly("a0=neighbour");
        }
    }

    @Test
    void givenFolderOfFormerStore_whenOpenedAgain_thenItIsEmpty() {
        try (var memory = new BoundedMemory(8 << 20)) {
            try (var store = OrderedStore.open(folder, memory)) {
                store.put(bytes("old"), bytes("x"));
            }
            try (var store = OrderedStore.open(folder, memory)) {
                assertThat(store.get(bytes("old"))).isEmpty();
            }
        }
    }

    @Test
    void givenClosedStore_whenUsed_thenItFailsInsteadOfReadingFreedMemory() {
        try (var memory = new BoundedMemory(8 << 20)) {
            var store = OrderedStore.open(folder, memory);
            store.close();
            store.close();
            assertThatIllegalStateException().isThrownBy(() -> store.get(bytes("a")));
        }
    }

    private static List<String> scan(OrderedStore store, String prefix) {
        var found = new ArrayList<String>();
        store.scan(bytes(prefix), (key, value) -> found.add(new String(key, UTF_8) + "=" + new String(value, UTF_8)));
        return found;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
