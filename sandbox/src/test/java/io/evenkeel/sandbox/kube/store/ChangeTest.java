package io.evenkeel.sandbox.kube.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChangeTest {
    private final AtomicInteger encodings = new AtomicInteger();
    private final Change change = new Change(
            new ObjectType("", "pods"), Change.Kind.ADDED, Optional.empty(), new Stored("ns/a", 1, bytes("{}")));

    @Test
    void givenANewChange_whenManyWatchesWantTheSameForm_thenItIsEncodedOnce() {
        byte[] first = change.encoded("v1", this::encode);
        byte[] second = change.encoded("v1", this::encode);

        assertThat(second).isSameAs(first);
        assertThat(encodings).hasValue(1);
    }

    @Test
    void givenTwoForms_whenEncoded_thenEachGetsItsOwn() {
        change.encoded("v1", this::encode);

        assertThat(change.encoded("v2", changed -> bytes("two"))).isEqualTo(bytes("two"));
    }

    @Test
    void givenAnAgedChange_whenEncoded_thenNothingIsKept() {
        byte[] first = change.encoded("v1", this::encode);
        change.age(new Packing());

        assertThat(change.encoded("v1", this::encode)).isEqualTo(first).isNotSameAs(first);
        assertThat(encodings).hasValue(2);
    }

    private byte[] encode(Change encoded) {
        encodings.incrementAndGet();
        return encoded.after().body().clone();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
