package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.runtime.process.StartupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    @TempDir
    private Path folder;

    @Test
    void givenNoFolder_whenClosed_thenTheTemporaryOneIsGoneWithAllThatIsInIt() throws Exception {
        StateFolder temporary = StateFolder.of(Optional.empty());
        Files.writeString(
                Files.createDirectories(temporary.path().resolve("a/b")).resolve("store"), "x");

        temporary.close();

        assertThat(temporary.path()).doesNotExist();
    }

    @Test
    void givenAFolder_whenClosed_thenItStays() throws Exception {
        Path wanted = folder.resolve("new/stores");
        StateFolder configured = StateFolder.of(Optional.of(wanted));
        Files.writeString(configured.path().resolve("store"), "x");

        configured.close();

        assertThat(wanted.resolve("store")).exists();
    }

    @Test
    void givenAFileInItsPlace_whenOpened_thenTheSettingIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> StateFolder.of(Optional.of(file)))
                .withMessageContaining("worker.state-dir");
    }
}
