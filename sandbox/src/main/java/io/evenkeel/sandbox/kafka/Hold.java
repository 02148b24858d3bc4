package io.evenkeel.sandbox.kafka;

import java.util.concurrent.CountDownLatch;

/** Holds up whoever asks it while it is closed. Thread-safe. */
final class Hold {
    private volatile CountDownLatch opened = new CountDownLatch(0);

    synchronized void close() {
        if (opened.getCount() == 0) {
            opened = new CountDownLatch(1);
        }
    }

    void open() {
        opened.countDown();
    }

    /** Returns at once if it is open, else when it opens; an interrupt also lets through, and stays set. */
    void pass() {
        try {
            opened.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
