package io.evenkeel.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns, two spaces apart. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    /** A table with these headings. */
    public Table(String... headings) {
        rows.add(List.of(headings));
        widths = new int[headings.length];
    }

    /** Adds a row with as many cells as there are headings. */
    public void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(
                    "a row has " + rows.getFirst().size() + " cells but this has " + cells.length);
        }
        rows.add(List.of(cells));
    }

    /** Prints it; the last column is not padded. */
    public void print(PrintWriter out) {
        rows.forEach(this::widen);
        rows.forEach(row -> print(out, row));
    }

    /** Prints one row more under what was printed, whose columns may be too narrow for it. */
    public void append(PrintWriter out, String... cells) {
        row(cells);
        widen(rows.getLast());
        print(out, rows.removeLast());
    }

    private void widen(List<String> row) {
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], row.get(column).length());
        }
    }

    private void print(PrintWriter out, List<String> row) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            line.append(cell);
            if (column < widths.length - 1) {
                line.append(" ".repeat(widths[column] - cell.length())).append(GAP);
            }
        }
        out.println(line.toString().stripTrailing());
    }
}
