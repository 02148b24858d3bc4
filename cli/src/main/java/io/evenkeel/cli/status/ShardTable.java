package io.evenkeel.cli.status;

import io.evenkeel.cli.terminal.Table;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Shards for people: a line that sums them up, and a row for each. */
final class ShardTable implements StatusFormat {
    private static final int ERROR_WIDTH = 100;
    private static final String NOTHING = "-";

    private final Terminal terminal;
    private final boolean wide;
    private final Table table;

    /** @param wide with every time and owner, and errors in full */
    ShardTable(Terminal terminal, boolean wide) {
        this.terminal = terminal;
        this.wide = wide;
        this.table = wide
                ? new Table(
                        "CLUSTER",
                        "RESOURCE",
                        "STATE",
                        "SINCE",
                        "LAG",
                        "LAST EVENT",
                        "CURRENT AS OF",
                        "REPORTED",
                        "OWNER",
                        "ERROR")
                : new Table("CLUSTER", "RESOURCE", "STATE", "SINCE", "LAG", "LAST EVENT", "ERROR");
    }

    @Override
    public void print(List<ShardView> shown, List<ShardView> all) {
        terminal.out().println(summary(all));
        if (!shown.isEmpty()) {
            terminal.out().println();
            shown.forEach(view -> table.row(cells(view)));
            table.print(terminal.out());
        }
    }

    @Override
    public void printChanged(ShardView view) {
        table.append(terminal.out(), cells(view));
    }

    private static String summary(List<ShardView> all) {
        long clusters =
                all.stream().map(view -> view.report().cluster()).distinct().count();
        String states = ShardView.Condition.ALL.stream()
                .map(condition -> new Counted(
                        condition,
                        all.stream()
                                .filter(view -> view.condition() == condition)
                                .count()))
                .filter(counted -> counted.count() > 0)
                .map(counted -> counted.count() + " " + word(counted.condition()))
                .collect(Collectors.joining(", "));
        return Texts.count(all.size(), "shard") + " of " + Texts.count(Math.toIntExact(clusters), "cluster") + ": "
                + states;
    }

    private record Counted(ShardView.Condition condition, long count) {}

    private String[] cells(ShardView view) {
        var report = view.report();
        var cells = new ArrayList<String>();
        cells.add(report.cluster());
        cells.add(view.resource());
        cells.add(word(view.condition()));
        cells.add(wide ? time(report.since()) : age(view.stale() ? report.reportedAt() : report.since()));
        cells.add(view.stale() ? NOTHING : lag(Duration.ofMillis(report.lagMillis())));
        cells.add(moment(report.lastEventAt()));
        if (wide) {
            cells.add(moment(report.currentAt()));
            cells.add(time(report.reportedAt()));
            cells.add(report.owner());
        }
        String error = view.error().orElse("");
        cells.add(wide ? Texts.oneLine(error, Math.max(1, error.length())) : Texts.oneLine(error, ERROR_WIDTH));
        return cells.toArray(String[]::new);
    }

    private String moment(Optional<Instant> moment) {
        return moment.map(time -> wide ? time(time) : age(time) + " ago").orElse(NOTHING);
    }

    private String time(Instant time) {
        return Texts.toSeconds(time, terminal.zone());
    }

    private String age(Instant time) {
        return Texts.about(Duration.between(time, terminal.clock().instant()));
    }

    private static String lag(Duration lag) {
        return lag.compareTo(Duration.ofSeconds(1)) < 0 ? lag.toMillis() + " ms" : Texts.about(lag);
    }

    private static String word(ShardView.Condition condition) {
        return condition.name().toUpperCase(Locale.ROOT);
    }
}
