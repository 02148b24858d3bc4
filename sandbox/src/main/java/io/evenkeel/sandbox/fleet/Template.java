package io.evenkeel.sandbox.fleet;

import io.evenkeel.sandbox.kube.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** JSON with placeholders such as {@code $name}; {@code "$digit#"} becomes a number. Immutable. */
final class Template {
    private static final Pattern PLACEHOLDER = Pattern.compile("\"\\$([a-z]+)#\"|\\$([a-z]+)");

    /** A piece of text, or the name of what stands there. */
    private sealed interface Piece {
        record Text(String text) implements Piece {}

        record Placeholder(String name) implements Piece {}
    }

    private final List<Piece> pieces;

    private Template(List<Piece> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    static Template of(JsonNode tree) {
        return of(new String(Json.bytes(tree), StandardCharsets.UTF_8));
    }

    static Template of(String text) {
        List<Piece> pieces = new ArrayList<>();
        Matcher matcher = PLACEHOLDER.matcher(text);
        int end = 0;
        while (matcher.find()) {
            pieces.add(new Piece.Text(text.substring(end, matcher.start())));
            String number = matcher.group(1);
            pieces.add(new Piece.Placeholder(number == null ? matcher.group(2) : number));
            end = matcher.end();
        }
        pieces.add(new Piece.Text(text.substring(end)));
        return new Template(pieces);
    }

    /**
     * Fills in the placeholders.
     *
     * @throws IllegalArgumentException if there is one without a value
     */
    byte[] fill(Map<String, String> values) {
        var filled = new StringBuilder(2_048);
        for (Piece piece : pieces) {
            switch (piece) {
                case Piece.Text text -> filled.append(text.text());
                case Piece.Placeholder placeholder -> {
                    String value = values.get(placeholder.name());
                    if (value == null) {
                        throw new IllegalArgumentException("no value for $" + placeholder.name());
                    }
                    filled.append(value);
                }
            }
        }
        return filled.toString().getBytes(StandardCharsets.UTF_8);
    }
}
