package io.evenkeel.api.json;

import java.time.Instant;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes times by {@link Timestamps#format}. */
final class InstantWriter extends StdSerializer<Instant> {
    InstantWriter() {
        super(Instant.class);
    }

    @Override
    public void serialize(Instant time, JsonGenerator generator, SerializationContext context) {
        generator.writeString(Timestamps.format(time));
    }
}
