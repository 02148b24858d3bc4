package io.evenkeel.sandbox.fault;

/**
 * What came of one rule so far.
 *
 * @param matched requests that it is about
 * @param hit those that it chose
 * @param happened how often its fault was really done: requests, or frames, or none if the client left before
 */
public record RuleCount(long matched, long hit, long happened) {}
