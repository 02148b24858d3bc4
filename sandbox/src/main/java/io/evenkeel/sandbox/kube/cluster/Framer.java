package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiRequest.Form;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Turns the items of one watch into frames of the form that its client asked for. Used by one thread at a time. */
final class Framer {
    private final Resource resource;
    private final Selector selector;
    private final Form form;
    private final Shower shower;
    private boolean columnsSent;

    Framer(Resource resource, Selector selector, Form form, Clock clock) {
        this.resource = resource;
        this.selector = selector;
        this.form = form;
        this.shower = new Shower(resource, form, clock);
    }

    /** The frame for an item; empty if the client does not get to see it. */
    Optional<byte[]> frame(Watch.Item item) {
        return switch (item) {
            case Watch.Item.Present present ->
                matches(present.object()) ? Optional.of(event("ADDED", present.object())) : Optional.empty();
            case Watch.Item.Happened happened -> change(happened.change());
            case Watch.Item.Bookmark bookmark -> Optional.of(bookmark(bookmark));
            case Watch.Item.Failed failed ->
                Optional.of(concat(start("ERROR"), Json.bytes(failed.failure().status())));
        };
    }

    private Optional<byte[]> change(Change change) {
        if (selector.matchesAll()) {
            return Optional.of(
                    form == Form.OBJECT
                            ? change.encoded(resource, this::whole)
                            : event(change.kind().name(), change.after()));
        }
        boolean before = change.before().map(this::matches).orElse(false);
        boolean after = change.kind() != Change.Kind.DELETED && matches(change.after());
        if (after) {
            return Optional.of(event(before ? "MODIFIED" : "ADDED", change.after()));
        }
        if (!before) {
            return Optional.empty();
        }
        // An object that leaves the selection is shown as it was, under the revision at which it left.
        Stored last = change.before().orElseThrow();
        return Optional.of(event(
                "DELETED", new Stored(last.key(), change.revision(), Bodies.atRevision(last, change.revision()))));
    }

    private byte[] whole(Change change) {
        return event(change.kind().name(), change.after());
    }

    private boolean matches(Stored stored) {
        return selector.matchesAll() || selector.matches(Bodies.open(resource, stored));
    }

    private byte[] event(String type, Stored stored) {
        byte[] shown = shower.single(stored, !columnsSent);
        columnsSent = true;
        return concat(start(type), shown);
    }

    private byte[] bookmark(Watch.Item.Bookmark bookmark) {
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(bookmark.revision()));
        if (bookmark.endOfInitialEvents()) {
            metadata.set("annotations", Json.object().put("k8s.io/initial-events-end", "true"));
        }
        return concat(start("BOOKMARK"), shower.bookmark(metadata));
    }

    private static byte[] start(String type) {
        return ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] concat(byte[] start, byte[] object) {
        byte[] frame = new byte[start.length + object.length + 2];
        System.arraycopy(start, 0, frame, 0, start.length);
        System.arraycopy(object, 0, frame, start.length, object.length);
        frame[frame.length - 2] = '}';
        frame[frame.length - 1] = '\n';
        return frame;
    }
}
