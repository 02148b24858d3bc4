package io.evenkeel.sandbox.fault.stale;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.fault.rule.KubeRequest;
import io.evenkeel.sandbox.fault.rule.KubeStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/** Answers lists and watches of one collection as a server does whose cache lags behind. Thread-safe. */
public final class StaleView {
    private static final Duration LOOK_AROUND = Duration.ofMillis(200);

    private final Recording recording;

    StaleView(Recording recording) {
        this.recording = recording;
    }

    /** Takes the frames of a stale watch. */
    @FunctionalInterface
    public interface Frames {
        /** Sends one frame, with the line feed that ends it. */
        void send(byte[] frame) throws IOException;
    }

    /** The answer to a list. */
    public sealed interface Listed {
        /**
         * The past.
         *
         * @param json a whole list
         */
        record Complete(String json) implements Listed {}

        /**
         * The request wants to see more than the lagging server has.
         *
         * @param status what it says then
         */
        record Refused(KubeStatus status) implements Listed {}
    }

    /** Answers a list; {@code limit} is ignored, as servers do that answer out of their cache. */
    public Listed list(KubeRequest request, int changesBehind) {
        History.View view = recording.history().before(changesBehind);
        long wanted = position(request);
        if (wanted > view.revision()) {
            return new Listed.Refused(new KubeStatus(
                    504,
                    "Timeout",
                    "Too large resource version: " + wanted + ", current: " + view.revision(),
                    Optional.of("ResourceVersionTooLarge"),
                    Optional.of(Duration.ofSeconds(1))));
        }
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("kind", recording.kind().kind());
        list.put("apiVersion", recording.kind().apiVersion());
        list.put("metadata", Map.of("resourceVersion", Long.toString(view.revision())));
        list.put("items", view.items());
        return new Listed.Complete(Json.mapper().writeValueAsString(list));
    }

    /**
     * Answers a watch; returns when it is over.
     *
     * @param wanted false once the view is no longer stale; the watch ends then, and the client resumes elsewhere
     * @throws IOException if the client has gone
     */
    public void watch(KubeRequest request, int changesBehind, Frames frames, BooleanSupplier wanted)
            throws IOException, InterruptedException {
        long position = position(request);
        History history = recording.history();
        String initialEvents = request.query().getOrDefault("sendInitialEvents", "");
        if (position == 0 && initialEvents.equals("false")) {
            position = history.before(changesBehind).revision();
        } else if (position == 0 || initialEvents.equals("true")) {
            position = Math.max(position, initialState(request, changesBehind, frames));
        } else if (position < history.oldestRevision()) {
            KubeStatus expired = new KubeStatus(
                    410,
                    "Expired",
                    "too old resource version: " + position + " (" + history.oldestRevision() + ")",
                    Optional.empty(),
                    Optional.empty());
            frames.send(frame("ERROR", expired.object()));
            return;
        }
        long deadline = System.nanoTime() + timeout(request).toNanos();
        while (wanted.getAsBoolean() && System.nanoTime() < deadline) {
            long edits = history.edits();
            for (Change change : history.after(position, changesBehind)) {
                frames.send(frame(change.type(), change.object()));
                position = change.revision();
            }
            history.awaitEdit(edits, LOOK_AROUND);
        }
    }

    private long initialState(KubeRequest request, int changesBehind, Frames frames) throws IOException {
        History.View view = recording.history().before(changesBehind);
        for (JsonNode item : view.items()) {
            frames.send(frame("ADDED", withKind(item)));
        }
        boolean bookmarks = "true".equals(request.query().get("allowWatchBookmarks"));
        if (bookmarks && "true".equals(request.query().get("sendInitialEvents"))) {
            Map<String, Object> metadata = Map.of(
                    "resourceVersion", Long.toString(view.revision()),
                    "annotations", Map.of("k8s.io/initial-events-end", "true"));
            frames.send(frame(
                    "BOOKMARK",
                    Map.of(
                            "kind", recording.kind().itemKind(),
                            "apiVersion", recording.kind().apiVersion(),
                            "metadata", metadata)));
        }
        return view.revision();
    }

    private Object withKind(JsonNode item) {
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("kind", recording.kind().itemKind());
        whole.put("apiVersion", recording.kind().apiVersion());
        item.properties().forEach(field -> whole.put(field.getKey(), field.getValue()));
        return whole;
    }

    private static byte[] frame(String type, Object object) {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("type", type);
        frame.put("object", object);
        byte[] json = Json.write(frame);
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    private static long position(KubeRequest request) {
        return number(request, "resourceVersion", 0);
    }

    private static Duration timeout(KubeRequest request) {
        return Duration.ofSeconds(
                number(request, "timeoutSeconds", Duration.ofHours(1).toSeconds()));
    }

    private static long number(KubeRequest request, String parameter, long fallback) {
        String text = request.query().getOrDefault(parameter, "");
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : fallback;
    }
}
