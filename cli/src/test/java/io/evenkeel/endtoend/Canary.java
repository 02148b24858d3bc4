package io.evenkeel.endtoend;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Secrets that all begin alike, so that one look finds each of them: as they are, in hexadecimal, in base64, and in base64 of
 * base64, wherever in the encoded bytes they begin.
 */
final class Canary {
    private static final String BEGINNING = "kanarienvogel-im-schacht-";
    private static final int CONTEXT = 60;
    private static final Set<String> FORMS = forms();

    private Canary() {}

    /** A secret of that name. */
    static String named(String name) {
        return BEGINNING + name;
    }

    /** A secret of that name as Secrets hold it. */
    static String encoded(String name) {
        return base64(named(name));
    }

    /** The first secret in these bytes, with what follows it; empty if there is none. */
    static Optional<String> in(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (String form : FORMS) {
            int found = text.indexOf(form);
            if (found >= 0) {
                return Optional.of(text.substring(found, Math.min(text.length(), found + form.length() + CONTEXT)));
            }
        }
        return Optional.empty();
    }

    private static Set<String> forms() {
        var forms = new LinkedHashSet<String>();
        forms.add(BEGINNING);
        String hex = HexFormat.of().formatHex(BEGINNING.getBytes(StandardCharsets.UTF_8));
        forms.add(hex);
        forms.add(hex.toUpperCase(java.util.Locale.ROOT));
        for (String once : atEveryOffset(BEGINNING)) {
            forms.add(once);
            forms.addAll(atEveryOffset(once));
        }
        return forms;
    }

    /** What base64 makes of a text that begins at any byte: the characters that its neighbours have no part in. */
    private static Set<String> atEveryOffset(String text) {
        var forms = new LinkedHashSet<String>();
        for (int before = 0; before < 3; before++) {
            String encoded = base64("x".repeat(before) + text + "xxx");
            int from = before == 0 ? 0 : before + 1;
            int to = (before + text.length()) * 8 / 6;
            forms.add(encoded.substring(from, to));
        }
        return forms;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
