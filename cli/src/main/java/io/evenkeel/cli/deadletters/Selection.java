package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Some of the dead letters; what is not said stands for all. */
final class Selection {
    @Option(names = "--controller", paramLabel = "NAME", description = "Only of this controller.")
    private Optional<String> controller = Optional.empty();

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "Only on this cluster.")
    private Optional<String> cluster = Optional.empty();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only in this namespace.")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--reason",
            paramLabel = "REASON",
            description = "Only for this reason: out-of-attempts, terminal-error or invalid-object.")
    private Optional<String> reason = Optional.empty();

    @Option(names = "--error", paramLabel = "TEXT", description = "Only if the error or its class contains this text.")
    private Optional<String> error = Optional.empty();

    boolean isAll() {
        return controller.isEmpty() && cluster.isEmpty() && namespace.isEmpty() && reason.isEmpty() && error.isEmpty();
    }

    List<DeadLetter> of(List<DeadLetter> letters) {
        return letters.stream().filter(this::includes).toList();
    }

    private boolean includes(DeadLetter letter) {
        return controller.map(letter.controller()::equals).orElse(true)
                && cluster.map(letter.key().primary().cluster()::equals).orElse(true)
                && namespace.map(letter.key().primary().namespace()::equals).orElse(true)
                && reason.map(word -> word.toUpperCase(Locale.ROOT)
                                .replace('-', '_')
                                .equals(letter.reason().name()))
                        .orElse(true)
                && error.map(text -> letter.failure().message().contains(text)
                                || letter.failure().type().contains(text))
                        .orElse(true);
    }
}
