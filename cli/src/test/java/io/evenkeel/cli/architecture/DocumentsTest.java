package io.evenkeel.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents name must be there. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:IT|Test))\\.(\\w+)`");
    private static final Pattern FILE = Pattern.compile("`(examples/[\\w/.]+\\.java)`");

    @Test
    void givenTheTestsOfTheFaultMatrix_whenLookedFor_thenEachExists() throws IOException {
        List<String> missing = new ArrayList<>();
        Matcher named = TEST.matcher(Files.readString(ROOT.resolve("docs/reliability.md")));
        int count = 0;
        while (named.find()) {
            count++;
            Optional<Path> file = testClass(named.group(1));
            if (file.isEmpty() || !Files.readString(file.get()).contains("void " + named.group(2) + "(")) {
                missing.add(named.group(1) + "." + named.group(2));
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(25);
    }

    @Test
    void givenTheFilesOfTheGuide_whenLookedFor_thenEachExists() throws IOException {
        Matcher named = FILE.matcher(Files.readString(ROOT.resolve("docs/writing-a-reconciler.md")));
        int count = 0;
        while (named.find()) {
            count++;
            assertThat(ROOT.resolve(named.group(1))).exists();
        }
        assertThat(count).isEqualTo(3);
    }

    private static Optional<Path> testClass(String name) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.map(each -> each.resolve("src/test/java"))
                    .filter(Files::exists)
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    Optional<Path> found = files.filter(
                                    file -> file.getFileName().toString().equals(name + ".java"))
                            .findFirst();
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }
}
