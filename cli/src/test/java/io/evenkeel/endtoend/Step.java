package io.evenkeel.endtoend;

import io.evenkeel.api.record.ChangeType;

/** One step in an object's life, as two independent readers must agree on it. */
record Step(ChangeType type, String uid, String resourceVersion) {}
