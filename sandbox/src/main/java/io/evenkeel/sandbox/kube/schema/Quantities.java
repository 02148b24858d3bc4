package io.evenkeel.sandbox.kube.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one form in which a server shows a quantity such as {@code 0.5} or {@code 1024Mi}: no fraction, and the largest
 * suffix that needs none. See "Quantity" in the Kubernetes API reference. Stateless.
 */
final class Quantities {
    private static final Pattern FORM =
            Pattern.compile("([+-]?[0-9.]+)(?:([eE][+-]?[0-9]+)|([KMGTPE]i)|([numkMGTPE]?))");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final int ONE = DECIMAL.indexOf("");
    private static final int SMALLEST_SCALE = 9;
    private static final BigDecimal KIBI = BigDecimal.valueOf(1_024);
    private static final BigInteger THOUSAND = BigInteger.valueOf(1_000);

    private Quantities() {}

    /** The canonical form; the text itself if it is no quantity. */
    static String canonical(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return text;
        }
        BigDecimal number;
        try {
            number = new BigDecimal(form.group(1));
        } catch (NumberFormatException e) {
            return text; // such as two points
        }
        if (number.signum() == 0) {
            return "0";
        }
        if (form.group(3) != null) {
            return binary(number.multiply(KIBI.pow(BINARY.indexOf(form.group(3)))));
        }
        if (form.group(2) != null) {
            return exponent(number.scaleByPowerOfTen(
                    Integer.parseInt(form.group(2).substring(1).replace("+", ""))));
        }
        int suffix = DECIMAL.indexOf(form.group(4));
        return decimal(number.scaleByPowerOfTen(3 * (suffix - ONE)));
    }

    private static String binary(BigDecimal value) {
        boolean exact = value.stripTrailingZeros().scale() <= 0;
        if (value.abs().compareTo(KIBI) < 0 || !exact) {
            return decimal(value);
        }
        BigInteger rest = value.toBigIntegerExact();
        int suffix = 0;
        while (suffix < BINARY.size() - 1 && rest.mod(KIBI.toBigInteger()).signum() == 0) {
            rest = rest.divide(KIBI.toBigInteger());
            suffix++;
        }
        return rest + BINARY.get(suffix);
    }

    private static String decimal(BigDecimal value) {
        int suffix = 0;
        BigInteger rest = inNanos(value);
        while (suffix < DECIMAL.size() - 1 && rest.mod(THOUSAND).signum() == 0) {
            rest = rest.divide(THOUSAND);
            suffix++;
        }
        return rest + DECIMAL.get(suffix);
    }

    private static String exponent(BigDecimal value) {
        int exponent = -SMALLEST_SCALE;
        BigInteger rest = inNanos(value);
        while (rest.mod(THOUSAND).signum() == 0) {
            rest = rest.divide(THOUSAND);
            exponent += 3;
        }
        return exponent == 0 ? rest.toString() : rest + "e" + exponent;
    }

    /** Nothing is kept that is smaller, and nothing is rounded down to less. */
    private static BigInteger inNanos(BigDecimal value) {
        return value.setScale(SMALLEST_SCALE, RoundingMode.UP).unscaledValue();
    }
}
