package io.evenkeel.cli.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** A process that is one watcher until it is killed. */
public final class EngineMain {
    private EngineMain() {}

    /** @param args its settings, as key=value */
    public static void main(String[] args) throws InterruptedException {
        Map<String, String> settings = Arrays.stream(args)
                .map(text -> text.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        try (var engine = new BenchEngine(settings)) {
            engine.startWatcher();
            new CountDownLatch(1).await(); // for ever: nobody counts it down
        }
    }
}
