package io.evenkeel.watcher.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ResourceVersion;
import org.junit.jupiter.api.Test;

final class StreamPositionTest {
    @Test
    void givenSeveralFramesOfOneVersion_whenTheFirstCame_thenAResumeShowsAllOfThemAgain() {
        StreamPosition position = StreamPosition.complete(version(10)).after(version(12));
        assertThat(position.resume()).isEqualTo(version(10));
        assertThat(position.after(version(12)).resume()).isEqualTo(version(10));
    }

    @Test
    void givenFrame_whenALaterOneComes_thenTheFirstIsBehindUs() {
        StreamPosition position =
                StreamPosition.complete(version(10)).after(version(12)).after(version(15));
        assertThat(position.resume()).isEqualTo(version(12));
    }

    @Test
    void givenFrame_whenBookmarkComes_thenEverythingBeforeItIsBehindUs() {
        StreamPosition position =
                StreamPosition.complete(version(10)).after(version(12)).bookmark(version(20));
        assertThat(position.resume()).isEqualTo(version(20));
    }

    @Test
    void givenFrame_whenOlderBookmarkComes_thenItSaysNothing() {
        StreamPosition position =
                StreamPosition.complete(version(10)).after(version(12)).bookmark(version(11));
        assertThat(position.resume()).isEqualTo(version(10));
    }

    @Test
    void givenServerThatLags_whenItShowsOldFrames_thenTheyAreLateAndThePositionStays() {
        StreamPosition position = StreamPosition.complete(version(10));
        assertThat(position.isLate(version(10), "a")).isTrue();
        assertThat(position.isLate(version(11), "a")).isFalse();
        assertThat(position.after(version(7))).isEqualTo(position);
    }

    @Test
    void givenEndOfALife_whenAFrameOfThatLifeComesBehindIt_thenItIsLateAndAnotherLifesIsNot() {
        StreamPosition position = StreamPosition.complete(version(10)).afterEnd(version(12), "a");
        assertThat(position.isLate(version(11), "a")).isTrue();
        assertThat(position.isLate(version(11), "b")).isFalse();
        assertThat(position.isLate(version(13), "a")).isFalse();
        assertThat(position.after(version(14)).isLate(version(11), "a")).isTrue();
    }

    private static ResourceVersion version(long value) {
        return new ResourceVersion(value);
    }
}
