package io.evenkeel.sandbox.kube.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackingTest {
    private static final ObjectType PODS = new ObjectType("", "pods");

    @Test
    void givenBodiesThatDifferInNames_whenPacked_thenTheyTakeAFractionAndComeBack() {
        var packing = new Packing();
        packing.pack(PODS, body("first", 1));
        var dictionary = new Dictionary(body("first", 1));

        byte[] body = body("second-with-a-longer-name", 123_456);

        assertThat(dictionary.pack(body)).hasSizeLessThan(body.length / 10);
        assertThat(packing.pack(PODS, body).orElseThrow().bytes()).isEqualTo(body);
    }

    private static byte[] body(String name, int number) {
        String container = "{\"name\":\"main\",\"image\":\"registry.example.com/web:1\"}";
        return ("{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"number\":" + number + ",\"containers\":["
                        + String.join(",", java.util.Collections.nCopies(30, container)) + "]}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void givenAnyTwoTexts_whenOneIsPackedByTheOther_thenItComesBack(long seed) {
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            byte[] text = text(random, random.nextInt(400));
            byte[] body = mixture(random, text, random.nextInt(600));
            var dictionary = new Dictionary(text);

            assertThat(dictionary.unpack(dictionary.pack(body), body.length)).isEqualTo(body);
        }
    }

    /** Few letters, so that there are repetitions. */
    private static byte[] text(RandomGenerator random, int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) random.nextInt(3);
        }
        return text;
    }

    private static byte[] mixture(RandomGenerator random, byte[] text, int length) {
        byte[] mixture = text(random, length);
        for (int at = 0; at < length && text.length > 0; at += 1 + random.nextInt(60)) {
            int from = random.nextInt(text.length);
            int copied = Math.min(random.nextInt(50), Math.min(length - at, text.length - from));
            System.arraycopy(text, from, mixture, at, copied);
        }
        return mixture;
    }

    @Test
    void givenRandomBytes_whenPacked_thenTheyAreKeptAsTheyAre() {
        var packing = new Packing();
        var random = new SplittableRandom(1);
        for (int i = 0; i < 20; i++) {
            byte[] body = new byte[1_000];
            random.nextBytes(body);

            byte[] kept = packing.pack(PODS, body).map(Body::bytes).orElse(body);

            assertThat(kept).isEqualTo(body);
        }
    }

    @Test
    void givenABodyUnlikeTheFirst_whenMoreLikeItCome_thenTheyArePackedToo() {
        var packing = new Packing();
        packing.pack(PODS, body("first", 1));
        byte[] other = "no pod at all, but long enough to be worth packing; "
                .repeat(20)
                .getBytes(StandardCharsets.UTF_8);
        packing.pack(PODS, other);

        Body again = packing.pack(PODS, other).orElseThrow();

        assertThat(again.bytes()).isEqualTo(other);
    }

    @Test
    void givenOldStates_whenRead_thenTheirBytesAreAsWritten() {
        var store = new Store(1_000, new Packing());
        for (int i = 0; i < 200; i++) {
            int number = i;
            store.put(PODS, "ns/pod-" + i % 50, revision -> body("pod-" + number % 50, number));
        }

        List<Stored> then = store.listAt(PODS, "", 50).objects();
        List<Stored> now = store.list(PODS, "").objects();

        assertThat(then).hasSize(50).allMatch(stored -> isAsWritten(stored, 0));
        assertThat(now).hasSize(50).allMatch(stored -> isAsWritten(stored, 150));
    }

    private static boolean isAsWritten(Stored stored, int firstNumber) {
        int pod = Integer.parseInt(stored.key().substring("ns/pod-".length()));
        return Arrays.equals(stored.body(), body("pod-" + pod, firstNumber + pod));
    }
}
