package io.evenkeel.api.record;

import java.time.Instant;
import java.util.Optional;

/**
 * One entry of an object's {@code managedFields}, without the fields: who last wrote, how and when.
 *
 * @param manager field manager, such as {@code kubectl-client-side-apply}
 * @param operation {@code Apply} or {@code Update}
 * @param subresource {@code status}, {@code scale} or absent
 * @param time of the manager's last write, by the API server's clock, in whole seconds
 */
public record Actor(String manager, String operation, Optional<String> subresource, Optional<Instant> time) {}
