package io.evenkeel.cli.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.record.WatchStatus;
import io.evenkeel.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What {@code --watch} shows after the first table. */
final class StatusBoardTest {
    private static final Instant START = Instant.parse("2026-11-30T09:20:00Z");

    private final StringWriter out = new StringWriter();
    private Instant now = START;
    private final Terminal terminal = new Terminal(
            new PrintWriter(out),
            new PrintWriter(new StringWriter()),
            Optional.empty(),
            Map.of(),
            clock(() -> now),
            ZoneOffset.UTC);
    private final StatusBoard board =
            new StatusBoard(terminal, new ShardTable(terminal, false), List.of("eu-1"), List.of());

    @Test
    void givenTableWasShown_whenNothingButTimesChange_thenNothingIsShownAgain() {
        report("pods", ShardState.LIVE, START);
        board.show();
        fresh();
        now = START.plusSeconds(10);
        report("pods", ShardState.LIVE, now);
        board.show();
        assertThat(fresh()).isEmpty();
    }

    @Test
    void givenTableWasShown_whenAStateChanges_thenThatShardIsShownAgainUnderTheSameColumns() {
        report("pods", ShardState.LIVE, START);
        report("deployments", ShardState.LIVE, START);
        board.show();
        String header = fresh().lines().toList().get(2);
        report("pods", ShardState.UNREACHABLE, START);
        report("services", ShardState.SYNCING, START);

        board.show();

        assertThat(fresh().lines())
                .hasSize(2)
                .first()
                .satisfies(line -> assertThat(line).startsWith("eu-1     pods         UNREACHABLE"))
                .satisfies(line -> assertThat(line.indexOf("UNREACHABLE")).isEqualTo(header.indexOf("STATE")));
    }

    @Test
    void givenTableWasShown_whenReportsStop_thenTheShardIsShownAsStaleOnce() {
        report("pods", ShardState.LIVE, START);
        board.show();
        assertThat(board.isWell()).isTrue();
        fresh();
        now = START.plusSeconds(31);

        board.show();
        assertThat(fresh()).contains("STALE");
        assertThat(board.isWell()).isFalse();
        board.show();
        assertThat(fresh()).isEmpty();
    }

    private void report(String resource, ShardState state, Instant at) {
        var status = new WatchStatus(
                "eu-1",
                "",
                resource,
                state,
                START,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "me",
                at,
                10_000);
        board.take(new ConsumerRecord<>("t", 0, 0, status.key().toString().getBytes(UTF_8), Json.write(status)));
    }

    private String fresh() {
        String text = out.toString();
        out.getBuffer().setLength(0);
        return text;
    }

    private static Clock clock(InstantSource source) {
        return source.withZone(ZoneOffset.UTC);
    }
}
