package io.evenkeel.cli.about;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Which build this is.
 *
 * @param version of the project
 * @param commit of the checkout that it was started from, with {@code +changes} if that has any; empty elsewhere
 */
public record Build(String version, Optional<String> commit) {
    private static final String HOME = "evenkeel.home";

    /** This build; asks git where the launcher started it from a checkout. */
    public static Build current() {
        String version = Optional.ofNullable(Build.class.getPackage().getImplementationVersion())
                .orElse("unpackaged");
        return new Build(
                version,
                Optional.ofNullable(System.getProperty(HOME)).map(Path::of).flatMap(Build::commitOf));
    }

    private static Optional<String> commitOf(Path checkout) {
        return git(checkout, "rev-parse", "--short=12", "HEAD")
                .filter(commit -> commit.matches("[0-9a-f]+"))
                .map(commit -> git(checkout, "status", "--porcelain", "--untracked-files=no")
                                .filter(String::isEmpty)
                                .isPresent()
                        ? commit
                        : commit + "+changes");
    }

    private static Optional<String> git(Path checkout, String... arguments) {
        var command = new java.util.ArrayList<>(java.util.List.of("git", "-C", checkout.toString()));
        command.addAll(java.util.List.of(arguments));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? Optional.of(answer) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no git here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
