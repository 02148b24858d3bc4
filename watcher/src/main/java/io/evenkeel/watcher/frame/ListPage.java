package io.evenkeel.watcher.frame;

/**
 * What a page of a list says about itself.
 *
 * @param resourceVersion of the whole list
 * @param continueToken for the next page, empty on the last
 * @param items how many the page held
 */
public record ListPage(String resourceVersion, String continueToken, int items) {}
