package io.evenkeel.cli.bench.soak;

import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Draws faults. Each hits a counted request and no other, so that equal requests meet equal faults. Not thread-safe. */
final class FaultDraw {
    private static final WatchEnd[] ENDS = WatchEnd.values();
    private static final int MOST_ENDS = 6;
    private static final int LONGEST_WATCH_FRAMES = 7;
    private static final int LIST_BYTES = 3_000;

    private final SplittableRandom random;
    private int count;

    FaultDraw(SplittableRandom random) {
        this.random = random;
    }

    /** How the first watches of a kind end, one after another; later ones last. */
    List<Rule> ends(SoakKind kind) {
        var rules = new ArrayList<Rule>();
        int watches = random.nextInt(1, MOST_ENDS + 1);
        for (int nth = 1; nth <= watches; nth++) {
            WatchEnd end = ENDS[random.nextInt(ENDS.length)];
            rules.add(Rule.named("watch-" + nth + "-" + kind.plural() + "-" + end)
                    .verbs(Verb.WATCH)
                    .resources(kind.resource())
                    .nth(nth)
                    .then(Fault.endAfter(random.nextInt(LONGEST_WATCH_FRAMES), end)));
        }
        return rules;
    }

    /** Something that the next requests meet. */
    Rule next(SoakKind kind) {
        String name = "fault-" + ++count + "-" + kind.plural();
        int times = random.nextInt(1, 3);
        Rule.Draft watches = Rule.named(name)
                .verbs(Verb.WATCH)
                .resources(kind.resource())
                .from(random.nextInt(1, 3))
                .times(times);
        Rule.Draft lists = Rule.named(name)
                .verbs(Verb.LIST)
                .resources(kind.resource())
                .from(random.nextInt(1, 4))
                .times(times);
        Rule.Draft everything = Rule.named(name).times(times);
        return switch (random.nextInt(18)) {
            case 0 -> watches.then(Fault.answer(410));
            case 1 -> watches.then(new Fault.Answer(429, Optional.empty(), Optional.of(Duration.ofSeconds(1))));
            case 2 -> watches.then(Fault.answer(500));
            case 3 -> watches.then(new Fault.Garbage());
            case 4, 5 -> watches.then(new Fault.StaleView(random.nextInt(1, 4)));
            case 6 -> watches.then(new Fault.DuplicateFrames(Trigger.always()));
            case 7 -> watches.then(Fault.endAfter(0, WatchEnd.EXPIRED));
            // A probe, the first page, or halfway: whichever list comes.
            case 8, 9, 10 -> lists.then(Fault.answer(410));
            case 11 -> lists.then(new Fault.Answer(429, Optional.empty(), Optional.of(Duration.ofSeconds(1))));
            case 12 -> lists.then(Fault.answer(500));
            case 13 -> lists.then(new Fault.Answer(504, Optional.of("Timeout"), Optional.empty()));
            case 14 -> lists.then(new Fault.Truncate(random.nextInt(LIST_BYTES), ending()));
            case 15 -> lists.then(Fault.delay(Duration.ofMillis(random.nextInt(20, 300))));
            case 16 -> everything.then(Fault.answer(503));
            default -> everything.then(new Fault.Cut());
        };
    }

    private Fault.Truncate.Ending ending() {
        return random.nextBoolean() ? Fault.Truncate.Ending.CUT : Fault.Truncate.Ending.CLEAN;
    }
}
