package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Actor;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.Selection;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class EnvelopeWriterTest {
    private static final String[] TEXTS = {
        "",
        "web",
        "a/b-c.d_e",
        "\"quoted\"",
        "back\\slash",
        "line\nbreak\ttab\u0000\u001f",
        "\u007f",
        "\u00fcber",
        "\u20ac \ud83d\ude00",
        "</script>",
        "x".repeat(3_000)
    };
    private static final String OBJECT = "{\"metadata\":{\"name\":\"web\"}}";

    private final SplittableRandom random = new SplittableRandom(7);

    @Test
    void givenAnyEvent_whenWritten_thenItIsByteForByteWhatTheMapperWrites() {
        assertThat(Stream.generate(() -> anyEvent()).limit(3_000))
                .allSatisfy(event -> assertThat(text(EnvelopeWriter.write(event, new byte[0])))
                        .isEqualTo(text(Json.write(event))));
    }

    @Test
    void givenAnObject_whenWritten_thenItsBytesAreTheLastFieldAndReadersFindBoth() {
        assertThat(Stream.generate(() -> anyEvent()).limit(200)).allSatisfy(event -> {
            byte[] written = EnvelopeWriter.write(event, OBJECT.getBytes(UTF_8));

            assertThat(text(written)).endsWith(",\"object\":" + OBJECT + "}");
            ChangeEvent read = Json.read(written, ChangeEvent.class);
            assertThat(read.object()).contains(Json.mapper().readTree(OBJECT));
            assertThat(read.key()).isEqualTo(event.key());
            assertThat(read.actors()).isEqualTo(event.actors());
        });
    }

    private ChangeEvent anyEvent() {
        return new ChangeEvent(
                "eu-1",
                random.nextLong(1, 1_000),
                random.nextBoolean() ? "" : "apps",
                "v1",
                "Deployment",
                random.nextBoolean() ? "" : "shop",
                "web",
                anyText(),
                Long.toString(random.nextLong(Long.MAX_VALUE)),
                maybe(random.nextLong(100)),
                any(ChangeType.values()),
                any(Origin.values()),
                IntStream.range(0, random.nextInt(4)).mapToObj(i -> anyText()).toList(),
                random.nextBoolean(),
                anyTime(),
                IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> new Actor(anyText(), anyText(), maybe(anyText()), maybe(anyTime())))
                        .toList(),
                maybe(new Selection(maybe(anyText()), maybe(anyText()))),
                Optional.empty(),
                maybe(anyText()));
    }

    private String anyText() {
        return any(TEXTS);
    }

    private Instant anyTime() {
        long nanos = new long[] {0, 113_000_000, 113_001_000, 1}[random.nextInt(4)];
        return Instant.ofEpochSecond(random.nextLong(4_000_000_000L), nanos);
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> Optional<T> maybe(T value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    private static String text(byte[] json) {
        return new String(json, UTF_8);
    }
}
