package io.evenkeel.watcher.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.api.ResourceVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchFrameReaderTest {
    private static final String OBJECT =
            "{\"kind\":\"X\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"uid\":\"u\","
                    + "\"resourceVersion\":\"7\"},\"spec\":{\"brace\":\"}\"}}";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 10_000})
    void givenPiecesOfAnySize_whenRead_thenTheFramesAreTheSame(int size) throws Exception {
        String body = "{\"type\":\"ADDED\",\"object\":" + OBJECT + "}\n"
                + "{\"object\":" + OBJECT + ",\"type\":\"DELETED\"}\n"
                + "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"X\",\"metadata\":{\"resourceVersion\":\"9\"}}}\n"
                + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}}\n";
        List<WatchFrame> frames = read(body, size);
        assertThat(frames).hasSize(4);
        assertThat(frames.get(0))
                .isInstanceOfSatisfying(
                        WatchFrame.Upserted.class,
                        frame -> assertThat(frame.object().json()).asString().isEqualTo(OBJECT));
        assertThat(frames.get(1)).isInstanceOf(WatchFrame.Deleted.class);
        assertThat(frames.get(2)).isEqualTo(new WatchFrame.Bookmark(new ResourceVersion(9)));
        assertThat(frames.get(3)).isEqualTo(new WatchFrame.Failed(410, "Expired"));
    }

    @Test
    void givenStreamThatBreaksInsideAFrame_whenRead_thenTheCutFrameIsDropped() throws Exception {
        String whole = "{\"type\":\"ADDED\",\"object\":" + OBJECT + "}\n";
        assertThat(read(whole + whole.substring(0, whole.length() - 1), 16)).hasSize(1);
    }

    @Test
    void givenLineThatIsNoFrame_whenRead_thenItIsRefused() {
        assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> read("{\"type\":\"ADDED\"}\n", 16));
        assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> read("not json\n", 16));
    }

    private static List<WatchFrame> read(String body, int size) throws IOException, InterruptedException {
        var reader = new WatchFrameReader(new PiecesOf(body, size), new ObjectScanner("v1", "X", Optional.empty()));
        var frames = new ArrayList<WatchFrame>();
        for (Optional<WatchFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            frames.add(frame.get());
        }
        return frames;
    }
}
