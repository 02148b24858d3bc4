package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.cluster.ClusterChoice.ChosenContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contexts of one kubeconfig. */
final class KubeconfigContexts implements DefinitionReader {
    private final Path file;
    private final List<ChosenContext> chosen;
    private final CheckedDefinitions checked = new CheckedDefinitions();

    /** @param chosen empty for all contexts of the file */
    KubeconfigContexts(Path file, List<ChosenContext> chosen) {
        this.file = file;
        this.chosen = List.copyOf(chosen);
    }

    @Override
    public String describe() {
        return "kubeconfig " + file;
    }

    @Override
    public Reading read() throws BadDefinitionException {
        KubeconfigText text = KubeconfigText.parse(file, content(file));
        List<String> present = text.contexts();
        List<ChosenContext> wanted = chosen.isEmpty()
                ? present.stream()
                        .map(context -> new ChosenContext(context, context))
                        .toList()
                : chosen;
        Map<String, Reading.Found> found = new LinkedHashMap<>();
        checked.begin();
        for (ChosenContext choice : wanted) {
            String place = describe() + ", context " + choice.context();
            if (!present.contains(choice.context())) {
                found.put(place, new Reading.Found.Missing("there is no such context; the file has " + present));
            } else if (!ClusterDefinition.isName(choice.id())) {
                found.put(
                        place,
                        new Reading.Found.Bad("its name can't be the id of a cluster, which must have "
                                + ClusterDefinition.ALLOWED + "; write <id>=" + choice.context()
                                + " in clusters.contexts"));
            } else {
                found.put(
                        place,
                        checked.found(
                                place,
                                choice.id(),
                                () -> new ClusterDefinition(
                                        choice.id(), text.access(choice.context()), Optional.empty())));
            }
        }
        checked.end();
        return new Reading(found);
    }

    static String content(Path file) throws BadDefinitionException {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new BadDefinitionException("it cannot be read: " + e, e);
        }
    }
}
