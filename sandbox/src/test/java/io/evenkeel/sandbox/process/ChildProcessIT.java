package io.evenkeel.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    @Test
    void givenACommandThatEnds_thenItsStatusAndOutputAreKnown() {
        try (ChildProcess child = shell("echo one; echo two >&2; exit 7")) {
            assertThat(child.awaitExit(LONG)).contains(7);
            assertThat(child.outputText()).isEqualTo("one\ntwo\n");
        }
    }

    @Test
    void givenAnUnknownProgram_thenItEndsAsInAShell() {
        try (ChildProcess child = ChildProcess.start(List.of("no-such-program"), Map.of(), log())) {
            assertThat(child.awaitExit(LONG)).contains(127);
        }
    }

    @Test
    void givenALineIsAwaited_whenItComesLater_thenItIsReturned() {
        try (ChildProcess child = shell("sleep 0.2; echo listening on 4711; sleep 60")) {
            assertThat(child.awaitLine("listening on \\d+", LONG)).isEqualTo("listening on 4711");
        }
    }

    @Test
    void givenALineIsAwaited_whenTheProcessEndsWithoutIt_thenTheErrorShowsItsLastWords() {
        try (ChildProcess child = shell("echo cannot bind; exit 1")) {
            assertThatThrownBy(() -> child.awaitLine("listening", LONG)).hasMessageContaining("cannot bind");
        }
    }

    @Test
    void givenACommandThatIgnoresTerm_whenStopped_thenItIsKilledAfterTheGrace() {
        try (ChildProcess child = shell("trap '' TERM; echo ready; while :; do sleep 1; done")) {
            child.awaitLine("ready", LONG);

            child.stop(Duration.ofMillis(100));

            assertThat(child.isAlive()).isFalse();
            assertThat(child.awaitExit(LONG)).contains(128 + 9);
        }
    }

    @Test
    void givenAFrozenProcess_whenThawed_thenItGoesOn() {
        try (ChildProcess child = shell("while :; do echo tick; sleep 0.02; done")) {
            child.awaitLine("tick", LONG);

            child.freeze();
            String frozen = child.outputText();
            await().during(Duration.ofMillis(200))
                    .until(() -> child.outputText().length() - frozen.length() <= "tick\n".length());

            child.thaw();
            await().atMost(LONG).until(() -> child.outputText().length() > frozen.length() + 20);
        }
    }

    @Test
    void givenAJvmWithAChild_whenThatJvmIsKilled_thenItsChildDiesToo() {
        try (ChildProcess parent = ChildJvm.of(ParentMain.class)
                .arguments(folder.resolve("grandchild.log").toString())
                .output(log())
                .start()) {
            String line = parent.awaitLine("^grandchild \\d+$", LONG);
            long grandchild = Long.parseLong(line.substring("grandchild ".length()));
            assertThat(ProcessHandle.of(grandchild)).isPresent();

            parent.kill();

            await().atMost(LONG).until(() -> ProcessHandle.of(grandchild).isEmpty());
        }
    }

    /** Starts a process that would run for ever, and waits. */
    static final class ParentMain {
        private ParentMain() {}

        public static void main(String[] arguments) {
            ChildProcess child = ChildProcess.start(List.of("sleep", "600"), Map.of(), Path.of(arguments[0]));
            System.out.println("grandchild " + child.pid());
            child.awaitExit(Duration.ofMinutes(10));
        }
    }

    private ChildProcess shell(String script) {
        return ChildProcess.start(List.of("sh", "-c", script), Map.of(), log());
    }

    private Path log() {
        return folder.resolve("output.log");
    }
}
