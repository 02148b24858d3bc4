package io.evenkeel.cli.deadletters;

import io.evenkeel.api.record.DeadLetter;
import java.util.Locale;

/** What is in a dead letter, in words. */
final class Words {
    private Words() {}

    static String of(DeadLetter.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** A Java class without its package. */
    static String shortType(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
