package io.evenkeel.watcher.frame;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.record.Actor;
import java.util.List;
import java.util.Optional;

/**
 * One object as read from a list or a frame.
 *
 * @param apiVersion such as {@code apps/v1}
 * @param kind such as {@code Deployment}
 * @param namespace empty for a cluster-scoped object
 * @param name the object's name
 * @param uid the object's uid
 * @param resourceVersion of this state
 * @param generation absent for kinds that have none
 * @param hashes of its sections
 * @param actors from its managed fields
 * @param json the object with apiVersion and kind, without managed fields, secrets replaced; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and copying a body for each step would double the work
public record ScannedObject(
        String apiVersion,
        String kind,
        String namespace,
        String name,
        String uid,
        ResourceVersion resourceVersion,
        Optional<Long> generation,
        SectionHashes hashes,
        List<Actor> actors,
        byte[] json) {
    /** The API version without its group. */
    public String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    @Override
    public String toString() {
        return kind + " " + namespace + "/" + name + " " + uid + "@" + resourceVersion;
    }
}
