package io.evenkeel.api.record;

import java.time.Instant;
import java.util.Optional;

/**
 * One reason for an attempt.
 *
 * @param type such as {@code PRIMARY_CHANGED}, or a type of {@link RequestReason}
 * @param eventId the change event behind it, if there is one
 * @param detail for people: sections that changed, the secondary's key, the retry's number
 * @param at when the cause arose
 */
public record Cause(String type, Optional<String> eventId, String detail, Instant at) {}
