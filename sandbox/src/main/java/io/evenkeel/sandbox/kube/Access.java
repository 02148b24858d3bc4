package io.evenkeel.sandbox.kube;

import io.evenkeel.sandbox.kube.api.User;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tokens and what their holders may do; changes hold from the next request on. As on a real server, a watch that is
 * open stays open when its token ends. Thread-safe.
 */
public final class Access {
    private record Holder(User user, Instant end) {}

    private final Map<String, Holder> holders = new ConcurrentHashMap<>();
    private final InstantSource clock;

    /** @param clock tells when a token ends */
    Access(InstantSource clock) {
        this.clock = clock;
    }

    /** Lets requests with {@code token} in, as a user who may do what {@code rules} allow. */
    public void grant(String token, String user, List<User.Rule> rules) {
        holders.put(token, new Holder(new User(user, rules), Instant.MAX));
    }

    /** Lets requests with {@code token} in, as a user who may do everything. */
    public void grantAll(String token, String user) {
        holders.put(token, new Holder(User.administrator(user), Instant.MAX));
    }

    /** Answers 401 to requests with this token from now on. */
    public void revoke(String token) {
        holders.remove(token);
    }

    /** Answers 401 to requests with this token from {@code end} on, by the simulator's clock. */
    public void revokeAt(String token, Instant end) {
        holders.computeIfPresent(token, (name, holder) -> new Holder(holder.user(), end));
    }

    Optional<User> user(String token) {
        return Optional.ofNullable(holders.get(token))
                .filter(holder -> clock.instant().isBefore(holder.end()))
                .map(Holder::user);
    }
}
