package io.evenkeel.api.json;

import java.time.DateTimeException;
import java.time.Instant;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/** Reads times by {@link Timestamps#parse}. */
final class InstantReader extends StdDeserializer<Instant> {
    InstantReader() {
        super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return (Instant) context.handleUnexpectedToken(getValueType(context), parser);
        }
        String text = parser.getString();
        try {
            return Timestamps.parse(text);
        } catch (DateTimeException e) {
            throw context.weirdStringException(text, Instant.class, "not a time of ISO 8601");
        }
    }
}
