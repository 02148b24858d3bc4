package io.evenkeel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in the guide is code that is compiled: word for word, whatever it is indented by. */
class GuideTest {
    private static final Path GUIDE = Path.of("../docs/writing-a-reconciler.md");
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void givenTheGuide_whenItsCodeIsLookedUp_thenEachBlockStandsInTheExamples() throws IOException {
        String code = sources();
        List<String> blocks = BLOCK.matcher(Files.readString(GUIDE))
                .results()
                .map(MatchResult::group)
                .map(block -> plain(block.substring("```java\n".length(), block.length() - "```".length())))
                .toList();

        assertThat(blocks).hasSizeGreaterThanOrEqualTo(8);
        assertThat(blocks).allSatisfy(block -> assertThat(code).contains(block));
    }

    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                all.append(plain(Files.readString(file))).append('\n');
            }
            return all.toString();
        }
    }

    private static String plain(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
