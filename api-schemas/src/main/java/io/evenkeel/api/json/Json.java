package io.evenkeel.api.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The one JSON mapper of the project. Unknown properties are ignored, so that an older reader survives a newer writer;
 * absent values are left out; times are ISO 8601 in UTC. Thread-safe.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion
                    .withValueInclusion(JsonInclude.Include.NON_ABSENT)
                    .withContentInclusion(JsonInclude.Include.ALWAYS))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .addModule(new SimpleModule()
                    .addDeserializer(Instant.class, new InstantReader())
                    .addSerializer(Instant.class, new InstantWriter()))
            .build();

    private Json() {}

    /** The shared mapper. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** UTF-8 JSON of {@code value}. */
    public static byte[] write(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /**
     * Reads {@code bytes} as {@code type}.
     *
     * @throws MalformedRecordException if the bytes are not JSON, or not of that type; the message names the type and
     *     the place but holds no payload
     */
    public static <T> T read(byte[] bytes, Class<T> type) {
        try {
            return MAPPER.readValue(bytes, type);
        } catch (JacksonException e) {
            // Jackson's own message quotes the payload, and so would a logged cause.
            throw new MalformedRecordException("not a " + type.getSimpleName() + ": "
                    + e.getClass().getSimpleName() + " at byte "
                    + e.getLocation().getByteOffset() + " "
                    + e.getPathReference());
        }
    }
}
