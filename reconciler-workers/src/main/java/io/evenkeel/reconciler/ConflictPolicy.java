package io.evenkeel.reconciler;

/** What an apply does where another field manager holds a field with another value. */
public enum ConflictPolicy {
    /** Takes the field over: the controller knows what its secondaries shall be. */
    FORCE,
    /** Fails with the API server's 409, whose message names the managers and fields. */
    FAIL
}
