package io.evenkeel.sandbox.fault.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class HistoryTest {
    private final History history = new History();

    @Test
    void givenTheNewestOfADeletionTogetherIsWithheld_thenSoIsAllOfIt() {
        history.reset(10, List.of(object("a", 8), object("b", 9), object("c", 10)));
        history.append(change("MODIFIED", "a", 11));
        history.append(change("DELETED", "a", 12));
        history.append(change("DELETED", "b", 12));
        history.append(change("DELETED", "c", 12));

        assertThat(names(history.after(10, 1))).containsExactly("a@11");
        assertThat(history.before(1).revision()).isEqualTo(11);
        assertThat(history.before(1).items()).hasSize(3);

        history.append(change("ADDED", "d", 13));

        assertThat(names(history.after(11, 1))).containsExactly("a@12", "b@12", "c@12");
        assertThat(history.before(1).revision()).isEqualTo(12);
        assertThat(history.before(1).items()).isEmpty();
    }

    @Test
    void givenADeletionTogetherIsForgotten_thenAllOfItIs() {
        history.reset(1, List.of(object("a", 1), object("b", 1)));
        history.append(change("DELETED", "a", 2));
        history.append(change("DELETED", "b", 2));
        for (int revision = 3; revision <= History.MOST_CHANGES + 1; revision++) {
            history.append(change("MODIFIED", "c", revision));
        }

        assertThat(history.oldestRevision()).isEqualTo(2);
        assertThat(history.after(2, 1).getFirst().revision()).isEqualTo(3);
        assertThat(history.before(History.MOST_CHANGES).items()).isEmpty();
    }

    private static List<String> names(List<Change> changes) {
        var names = new ArrayList<String>();
        changes.forEach(change ->
                names.add(change.object().path("metadata").path("name").asString() + "@" + change.revision()));
        return names;
    }

    private static Change change(String type, String name, long revision) {
        return Change.of(type, object(name, revision));
    }

    private static JsonNode object(String name, long revision) {
        return Json.mapper()
                .readTree("{\"metadata\":{\"namespace\":\"default\",\"name\":\"" + name + "\",\"resourceVersion\":\""
                        + revision + "\"}}");
    }
}
