package io.evenkeel.sandbox.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.real.KubeBinaries.Search;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeBinariesTest {
    @TempDir
    private Path folder;

    @Test
    void givenNoVariable_thenTheReasonSaysHowToGetThePrograms() {
        assertThat(KubeBinaries.search(Map.of()))
                .isInstanceOfSatisfying(
                        Search.Missing.class,
                        missing -> assertThat(missing.reason())
                                .contains("KUBEBUILDER_ASSETS is not set", "setup-envtest", "build-kube-binaries"));
    }

    @Test
    void givenAFolderWithoutTheApiServer_thenTheReasonNamesWhatIsAbsent() throws IOException {
        program("etcd");

        assertThat(search())
                .isInstanceOfSatisfying(
                        Search.Missing.class,
                        missing -> assertThat(missing.reason()).contains(folder + " has no kube-apiserver"));
    }

    @Test
    void givenThePlainPrograms_thenTheyAreFoundButNotFull() throws IOException {
        program("etcd");
        program("kube-apiserver");

        assertThat(search()).isEqualTo(new Search.Found(new KubeBinaries(folder)));
        assertThat(new KubeBinaries(folder).hasFull()).isFalse();
    }

    @Test
    void givenAllPrograms_thenTheyAreFull() throws IOException {
        for (String name : new String[] {"kube-controller-manager", "kube-scheduler", "kwok"}) {
            program(name);
        }

        assertThat(new KubeBinaries(folder).hasFull()).isTrue();
    }

    private Search search() {
        return KubeBinaries.search(Map.of("KUBEBUILDER_ASSETS", folder.toString()));
    }

    private void program(String name) throws IOException {
        Path file = Files.createFile(folder.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
