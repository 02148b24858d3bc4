package io.evenkeel.sandbox.fault.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Reads YAML into nodes with lines, which Jackson's own tree has not. */
final class YamlTree {
    private final Problems problems;

    private YamlTree(Problems problems) {
        this.problems = problems;
    }

    /** @return empty if the text is empty or not YAML at all */
    static Optional<YamlNode> parse(String text, Problems problems) {
        try (JsonParser parser = new YAMLFactory().createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            return first == null ? Optional.empty() : Optional.of(new YamlTree(problems).node(first, parser));
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            problems.add(
                    line,
                    "is not YAML: " + e.getOriginalMessage().lines().findFirst().orElse("malformed"));
            return Optional.empty();
        }
    }

    private YamlNode node(JsonToken token, JsonParser parser) {
        int line = parser.currentTokenLocation().getLineNr();
        if (token == JsonToken.START_OBJECT) {
            return new YamlNode.Fields(line, fields(parser));
        }
        if (token == JsonToken.START_ARRAY) {
            List<YamlNode> items = new ArrayList<>();
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                items.add(node(next, parser));
            }
            return new YamlNode.Items(line, items);
        }
        return new YamlNode.Text(line, token == JsonToken.VALUE_NULL ? "" : parser.getString());
    }

    private Map<String, YamlNode> fields(JsonParser parser) {
        Map<String, YamlNode> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            int line = parser.currentTokenLocation().getLineNr();
            YamlNode value = node(parser.nextToken(), parser);
            if (fields.putIfAbsent(key, value) != null) {
                problems.add(line, key + " stands here twice");
            }
        }
        return fields;
    }
}
