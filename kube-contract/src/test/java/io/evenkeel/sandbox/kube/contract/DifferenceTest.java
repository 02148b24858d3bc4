package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static final Path DESIGN = Path.of("../sandbox/src/main/java/io/evenkeel/sandbox/kube/DESIGN.md");

    @Test
    void theDesignNoteListsWhatHasACaseAndNothingElse() throws IOException {
        List<String> listed = Pattern.compile("(?m)^- `([a-z0-9-]+)`: ")
                .matcher(Files.readString(DESIGN))
                .results()
                .map(line -> line.group(1))
                .toList();

        assertThat(listed)
                .containsExactlyElementsOf(Arrays.stream(Difference.values())
                        .map(Difference::title)
                        .toList());
    }

    @Test
    void aDifferenceIsOne() {
        assertThat(Difference.values())
                .allSatisfy(
                        difference -> assertThat(difference.expected(true)).isNotEqualTo(difference.expected(false)));
    }
}
