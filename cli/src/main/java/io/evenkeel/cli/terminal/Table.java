package io.evenkeel.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns, two spaces apart. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these headings. */
    public Table(String... headings) {
        rows.add(List.of(headings));
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
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String cell = row.get(column);
                line.append(cell);
                if (column < columns - 1) {
                    line.append(" ".repeat(widths[column] - cell.length())).append(GAP);
                }
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
