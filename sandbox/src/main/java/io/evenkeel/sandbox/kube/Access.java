package io.evenkeel.sandbox.kube;

import io.evenkeel.sandbox.kube.api.User;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tokens and what their holders may do; changes hold from the next request on. As on a real server, a watch that is
 * open stays open when its token ends. Thread-safe.
 */
public final class Access {
    private final Map<String, User> users = new ConcurrentHashMap<>();

    Access() {}

    /** Lets requests with {@code token} in, as a user who may do what {@code rules} allow. */
    public void grant(String token, String user, List<User.Rule> rules) {
        users.put(token, new User(user, rules));
    }

    /** Lets requests with {@code token} in, as a user who may do everything. */
    public void grantAll(String token, String user) {
        users.put(token, User.administrator(user));
    }

    /** Answers 401 to requests with this token from now on. */
    public void revoke(String token) {
        users.remove(token);
    }

    Optional<User> user(String token) {
        return Optional.ofNullable(users.get(token));
    }
}
