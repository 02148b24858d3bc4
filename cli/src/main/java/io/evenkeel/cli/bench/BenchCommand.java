package io.evenkeel.cli.bench;

import picocli.CommandLine.Command;

/** Groups the measurements. */
@Command(
        name = "bench",
        description = {
            "Measures what this machine achieves, with everything in one process.",
            "",
            "Progress goes to standard error; the last line of standard output is one JSON object. A real"
                + " kube-apiserver is used where KUBEBUILDER_ASSETS names one, otherwise the simulated one; the result"
                + " says which."
        },
        synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand {
    /** Made by the command line. */
    public BenchCommand() {}
}
