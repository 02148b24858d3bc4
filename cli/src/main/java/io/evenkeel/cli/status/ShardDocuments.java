package io.evenkeel.cli.status;

import io.evenkeel.api.json.Json;
import io.evenkeel.cli.terminal.Terminal;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Shards for programs: each report as it is on the topic, with {@code stale}. */
final class ShardDocuments implements StatusFormat {
    private final Terminal terminal;
    private final Function<ObjectNode, String> writer;

    /** @param writer the text of one document */
    ShardDocuments(Terminal terminal, Function<ObjectNode, String> writer) {
        this.terminal = terminal;
        this.writer = writer;
    }

    @Override
    public void print(List<ShardView> shown, List<ShardView> all) {
        shown.forEach(this::printChanged);
    }

    @Override
    public void printChanged(ShardView view) {
        ObjectNode document = Json.mapper().valueToTree(view.report());
        document.put("stale", view.stale());
        terminal.out().println(writer.apply(document).stripTrailing());
    }
}
