package io.evenkeel.runtime.settings;

/**
 * A value as it was written, before anyone asked whether it makes sense.
 *
 * @param key the key as written
 * @param text the value as written; a list's items joined by commas
 * @param origin where it stands
 */
record RawValue(String key, String text, Origin origin) {}
