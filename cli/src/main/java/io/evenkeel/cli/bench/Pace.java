package io.evenkeel.cli.bench;

/**
 * How fast something went.
 *
 * @param perSecond how many in a second
 * @param cpuMicrosEach processor time of this process for each, in microseconds; other than the rate, it does not depend on
 *     what else runs on the machine
 */
record Pace(long perSecond, long cpuMicrosEach) {}
