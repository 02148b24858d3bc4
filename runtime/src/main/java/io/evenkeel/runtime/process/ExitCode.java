package io.evenkeel.runtime.process;

/** How a process of ours ends; scripts rely on the numbers. */
public enum ExitCode {
    /** All went well. */
    OK(0),
    /** A check ran and found differences. */
    DIFFERENCES(1),
    /** A flag, an argument or a setting is wrong. */
    USAGE(2),
    /** Something failed. */
    ERROR(3),
    /** Something that is needed can't be reached, or a port can't be had. */
    UNREACHABLE(4);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** The number that the operating system sees. */
    public int number() {
        return number;
    }
}
