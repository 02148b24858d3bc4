package io.evenkeel.runtime.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * Reads a YAML file of settings: groups nested or dotted, or both. Every value keeps its line, and every problem is
 * collected, so that a person mends the file once.
 */
final class SettingsFile {
    private final String name;
    private final List<RawValue> values = new ArrayList<>();
    private final List<String> problems;

    private SettingsFile(String name, List<String> problems) {
        this.name = name;
        this.problems = problems;
    }

    /**
     * @param problems takes what is wrong
     * @return the values that could be read
     */
    static List<RawValue> read(Path file, List<String> problems) {
        var settings = new SettingsFile(file.toString(), problems);
        try {
            settings.parse(Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            problems.add("settings file " + file + " does not exist");
        } catch (IOException e) {
            problems.add("settings file " + file + " can't be read: " + e.getMessage());
        }
        return settings.values;
    }

    private void parse(String text) {
        try (JsonParser parser = new YAMLFactory().createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return; // an empty file sets nothing
            }
            if (first != JsonToken.START_OBJECT) {
                problems.add(
                        name + " line " + line(parser) + " must be a map of settings, such as watcher.page-size: 500");
                return;
            }
            group("", parser);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            problems.add(name + " line " + line + " is not YAML: " + firstLine(e.getOriginalMessage()));
        }
    }

    private void group(String prefix, JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = prefix + parser.currentName();
            int line = line(parser);
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT) {
                group(key + ".", parser);
            } else if (token == JsonToken.START_ARRAY) {
                values.add(new RawValue(key, list(key, parser), new Origin.File(name, line)));
            } else if (token == JsonToken.VALUE_NULL) {
                problems.add(key + " in " + name + " line " + line + " has no value");
            } else {
                values.add(new RawValue(key, parser.getString(), new Origin.File(name, line)));
            }
        }
    }

    private String list(String key, JsonParser parser) {
        var items = new ArrayList<String>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token.isStructStart()) {
                problems.add(key + " in " + name + " line " + line(parser) + " must be a list of plain texts; put"
                        + " a text that holds ': ' in quotes");
                parser.skipChildren();
            } else {
                items.add(parser.getString());
            }
        }
        return String.join(",", items);
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("malformed");
    }
}
