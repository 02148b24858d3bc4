package io.evenkeel.sandbox.fault.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.evenkeel.sandbox.fault.rule.Chance;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Plan;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FrameLineTest {
    private static final Trigger SECOND = Trigger.nth(2);
    private static final Trigger LAST = Trigger.nth(4);

    static Stream<Arguments> table() {
        return Stream.of(
                //        faults                                                    what the client gets of a b c d
                arguments(List.of(), "a b c d ended"),
                arguments(List.of(new Fault.DropFrames(SECOND)), "a #0 c d ended"),
                arguments(List.of(new Fault.DropFrames(new Trigger(1, 2, 9, 1))), "#0 b #0 d ended"),
                arguments(List.of(new Fault.DuplicateFrames(SECOND)), "a #0 b b c d ended"),
                arguments(List.of(new Fault.SwapFrames(SECOND)), "a #0 c b d ended"),
                arguments(List.of(new Fault.SwapFrames(LAST)), "a b c d ended"),
                arguments(List.of(new Fault.SwapFrames(Trigger.always())), "#0 b a #0 d c ended"),
                arguments(
                        List.of(new Fault.DelayFrames(SECOND, Duration.ofMillis(3), Duration.ZERO)),
                        "a #0 3ms b c d ended"),
                arguments(List.of(Fault.endAfter(0, WatchEnd.CLOSE)), "#0 CLOSE"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.CLOSE)), "a b #0 CLOSE"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.CUT)), "a b #0 CUT"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.SILENCE)), "a b #0 SILENCE"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.GARBAGE)), "a b #0 garbage CLOSE"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.EXPIRED)), "a b #0 expired CLOSE"),
                arguments(List.of(Fault.endAfter(0, WatchEnd.EXPIRED)), "#0 expired CLOSE"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.UNAUTHORIZED)), "a b #0 unauthorized CLOSE"),
                arguments(List.of(Fault.endAfter(2, WatchEnd.HALF_FRAME)), "a b #0 half CLOSE"),
                arguments(List.of(Fault.endAfter(9, WatchEnd.CUT)), "a b c d ended"),
                // several on one watch: what the first sends, the second gets
                arguments(
                        List.of(new Fault.DropFrames(Trigger.nth(1)), Fault.endAfter(2, WatchEnd.CLOSE)),
                        "#0 b c #1 CLOSE"),
                arguments(
                        List.of(Fault.endAfter(2, WatchEnd.CLOSE), new Fault.DuplicateFrames(Trigger.always())),
                        "#1 a a #1 b b #0 CLOSE"),
                arguments(List.of(Fault.endAfter(1, WatchEnd.SILENCE), Fault.endAfter(1, WatchEnd.CUT)), "a #1 CUT"),
                arguments(List.of(new Fault.SwapFrames(LAST), new Fault.DropFrames(SECOND)), "a #1 c d ended"));
    }

    @ParameterizedTest(name = "{0} gives {1}")
    @MethodSource("table")
    void givenFaults_whenFourFramesCome_thenTheClientGetsThese(List<Fault.OnFrames> faults, String seen) {
        assertThat(String.join(" ", run(faults))).isEqualTo(seen);
    }

    @Test
    void everyFaultAndEveryEndIsInTheTable() {
        List<Fault.OnFrames> all =
                table().flatMap(row -> faultsOf(row).stream()).toList();
        assertThat(all.stream().map(Object::getClass).distinct())
                .hasSize(Fault.OnFrames.class.getPermittedSubclasses().length);
        assertThat(all.stream()
                        .filter(Fault.EndWatch.class::isInstance)
                        .map(fault -> ((Fault.EndWatch) fault).end())
                        .distinct())
                .hasSize(WatchEnd.values().length);
    }

    @SuppressWarnings("unchecked")
    private static List<Fault.OnFrames> faultsOf(Arguments row) {
        return (List<Fault.OnFrames>) Objects.requireNonNull(row.get()[0]);
    }

    private static List<String> run(List<Fault.OnFrames> faults) {
        List<Plan.Hit<Fault.OnFrames>> hits = new ArrayList<>();
        for (int i = 0; i < faults.size(); i++) {
            hits.add(new Plan.Hit<>("#" + i, faults.get(i), new Chance(1)));
        }
        FrameLine line = new FrameLine(hits);
        List<String> seen =
                new ArrayList<>(line.opened().stream().map(FrameLineTest::text).toList());
        for (String frame : List.of("a", "b", "c", "d")) {
            if (!over(seen)) {
                line.frame(bytes(frame + ".\n")).forEach(act -> seen.add(text(act)));
            }
        }
        if (!over(seen)) {
            line.ended().forEach(act -> seen.add(text(act)));
            seen.add("ended");
        }
        return seen;
    }

    private static boolean over(List<String> seen) {
        return !seen.isEmpty() && Arrays.asList("CLOSE", "CUT", "SILENCE").contains(seen.getLast());
    }

    private static String text(FrameAct act) {
        return switch (act) {
            case FrameAct.Count count -> count.rule();
            case FrameAct.Pause pause -> pause.duration().toMillis() + "ms";
            case FrameAct.End end -> end.way().name();
            case FrameAct.Send send -> {
                String text =
                        StandardCharsets.UTF_8.decode(send.frame().duplicate()).toString();
                yield text.startsWith("}{")
                        ? "garbage"
                        : text.contains(":410}")
                                ? "expired"
                                : text.contains(":401}")
                                        ? "unauthorized"
                                        : text.endsWith(".\n") ? text.substring(0, 1) : "half";
            }
        };
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void givenBytesInAnyPieces_whenSplit_thenFramesAreWholeAndNothingIsLost() {
        byte[] stream = "{\"a\":1}\n{\"b\":2}\n\n{\"c\":".getBytes(StandardCharsets.UTF_8);
        for (int piece = 1; piece <= stream.length; piece++) {
            FrameSplitter splitter = new FrameSplitter();
            List<String> frames = new ArrayList<>();
            for (int start = 0; start < stream.length; start += piece) {
                byte[] part = Arrays.copyOfRange(stream, start, Math.min(stream.length, start + piece));
                splitter.accept(part, part.length)
                        .forEach(frame ->
                                frames.add(StandardCharsets.UTF_8.decode(frame).toString()));
            }
            assertThat(frames).containsExactly("{\"a\":1}\n", "{\"b\":2}\n", "\n");
            assertThat(StandardCharsets.UTF_8.decode(splitter.rest()).toString())
                    .isEqualTo("{\"c\":");
        }
    }
}
