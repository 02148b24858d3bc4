package io.evenkeel.runtime.process;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Names one run of one process in records, logs and client ids.
 *
 * @param text {@code <host>-<pid>-<4 random hex digits>}: a restart in a container has the same host and pid, but is
 *     another run
 */
public record ProcessId(String text) {
    /** The id of this run. Call once per process and pass it on. */
    public static ProcessId create(RandomGenerator random) {
        String suffix = HexFormat.of().toHexDigits((short) random.nextInt());
        return new ProcessId(host() + "-" + ProcessHandle.current().pid() + "-" + suffix);
    }

    private static String host() {
        try {
            String name = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "-");
            return name.isEmpty() ? "host" : name;
        } catch (UnknownHostException e) {
            return "host"; // a machine that can't resolve its own name still has a pid
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
