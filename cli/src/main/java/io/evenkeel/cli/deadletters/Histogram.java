package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.cli.terminal.Table;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How many dead letters there are of each controller, reason and class of error. */
final class Histogram {
    private static final int LONGEST_BAR = 40;

    private Histogram() {}

    /** One bar. */
    private record Bar(String controller, String reason, String error) {
        static Bar of(DeadLetter letter) {
            return new Bar(
                    letter.controller(),
                    Words.of(letter.reason()),
                    Words.shortType(letter.failure().type()));
        }
    }

    static void print(List<DeadLetter> letters, PrintWriter out) {
        Map<Bar, Long> counts = letters.stream()
                .map(Bar::of)
                .collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()));
        long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
        var table = new Table("CONTROLLER", "REASON", "ERROR", "COUNT", "");
        counts.entrySet().stream()
                .sorted(Map.Entry.<Bar, Long>comparingByValue(Comparator.reverseOrder()))
                .forEach(entry -> table.row(
                        entry.getKey().controller(),
                        entry.getKey().reason(),
                        entry.getKey().error(),
                        Long.toString(entry.getValue()),
                        "#".repeat(Math.toIntExact(Math.max(1, entry.getValue() * LONGEST_BAR / most)))));
        table.print(out);
    }
}
