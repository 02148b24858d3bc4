package io.evenkeel.runtime.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder of kubeconfigs, each named like its cluster, such as {@code eu-1} or {@code eu-1.yaml}. Names that begin with a
 * dot are passed over, and so are certificates and keys: the folder may be a mounted Secret, whose files are links into a
 * hidden folder that is exchanged as a whole.
 */
final class KubeconfigFolder implements DefinitionReader {
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".kubeconfig");
    private static final List<String> COMPANIONS = List.of(".crt", ".pem", ".key", ".token");

    private final Path folder;
    private final CheckedDefinitions checked = new CheckedDefinitions();

    KubeconfigFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public String describe() {
        return "folder " + folder;
    }

    @Override
    public Reading read() throws BadDefinitionException {
        Map<String, Reading.Found> found = new LinkedHashMap<>();
        checked.begin();
        for (Path file : files()) {
            String name = id(file);
            String place = "file " + file;
            found.put(place, checked.found(place, name, () -> definition(file, name)));
        }
        checked.end();
        return new Reading(found);
    }

    private static ClusterDefinition definition(Path file, String name) throws BadDefinitionException {
        KubeconfigText text = KubeconfigText.parse(file, KubeconfigContexts.content(file));
        return new ClusterDefinition(name, text.access(text.context()), Optional.empty());
    }

    private List<Path> files() throws BadDefinitionException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(KubeconfigFolder::isKubeconfig).sorted().toList();
        } catch (IOException e) {
            throw new BadDefinitionException("it cannot be read: " + e, e);
        }
    }

    private static boolean isKubeconfig(Path file) {
        String name = String.valueOf(file.getFileName());
        return !name.startsWith(".") && COMPANIONS.stream().noneMatch(name::endsWith) && !Files.isDirectory(file);
    }

    private static String id(Path file) {
        String name = String.valueOf(file.getFileName());
        return ENDINGS.stream()
                .filter(name::endsWith)
                .findFirst()
                .map(ending -> name.substring(0, name.length() - ending.length()))
                .orElse(name);
    }
}
