package io.evenkeel.cli;

import io.evenkeel.cli.about.CompletionCommand;
import io.evenkeel.cli.about.VersionCommand;
import io.evenkeel.cli.about.WarmUpCommand;
import io.evenkeel.cli.bench.BenchCommand;
import io.evenkeel.cli.bench.LatencyCommand;
import io.evenkeel.cli.bench.SimBenchCommand;
import io.evenkeel.cli.bench.SoakCommand;
import io.evenkeel.cli.bench.ThroughputCommand;
import io.evenkeel.cli.bench.WatchBenchCommand;
import io.evenkeel.cli.bench.WorkBenchCommand;
import io.evenkeel.cli.configuration.ConfigCommand;
import io.evenkeel.cli.configuration.PrintCommand;
import io.evenkeel.cli.deadletters.DeadLettersCommand;
import io.evenkeel.cli.deadletters.ListCommand;
import io.evenkeel.cli.deadletters.RedriveCommand;
import io.evenkeel.cli.deadletters.ShowCommand;
import io.evenkeel.cli.dev.DevCommand;
import io.evenkeel.cli.events.EventsCommand;
import io.evenkeel.cli.explain.WhyCommand;
import io.evenkeel.cli.explain.WorkCommand;
import io.evenkeel.cli.fault.FaultProxyCommand;
import io.evenkeel.cli.pause.PauseCommand;
import io.evenkeel.cli.pause.PausesCommand;
import io.evenkeel.cli.pause.ResumeCommand;
import io.evenkeel.cli.role.WatcherCommand;
import io.evenkeel.cli.role.WorkerCommand;
import io.evenkeel.cli.sim.SimCommand;
import io.evenkeel.cli.status.StatusCommand;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.topics.ApplyCommand;
import io.evenkeel.cli.topics.CheckCommand;
import io.evenkeel.cli.topics.TopicsCommand;
import picocli.CommandLine;

/** The one place where the commands meet. */
final class Commands {
    private Commands() {}

    /** The command line of this program on that terminal. */
    static CommandLine on(Terminal terminal) {
        var root = new EvenkeelCommand();
        var line = new CommandLine(root);
        line.addSubcommand(new DevCommand(terminal))
                .addSubcommand(new WatcherCommand(terminal))
                .addSubcommand(new WorkerCommand(terminal))
                .addSubcommand(new StatusCommand(terminal))
                .addSubcommand(new EventsCommand(terminal))
                .addSubcommand(new CommandLine(new DeadLettersCommand())
                        .addSubcommand(new ListCommand(terminal))
                        .addSubcommand(new ShowCommand(terminal))
                        .addSubcommand(new RedriveCommand(terminal)))
                .addSubcommand(new WhyCommand(terminal))
                .addSubcommand(new WorkCommand(terminal))
                .addSubcommand(new PauseCommand(terminal))
                .addSubcommand(new ResumeCommand(terminal))
                .addSubcommand(new PausesCommand(terminal))
                .addSubcommand(new CommandLine(new TopicsCommand())
                        .addSubcommand(new ApplyCommand(terminal))
                        .addSubcommand(new CheckCommand(terminal)))
                .addSubcommand(new CommandLine(new ConfigCommand()).addSubcommand(new PrintCommand(terminal)))
                .addSubcommand(new CommandLine(new BenchCommand())
                        .addSubcommand(new LatencyCommand(terminal))
                        .addSubcommand(new ThroughputCommand(terminal))
                        .addSubcommand(new WatchBenchCommand(terminal))
                        .addSubcommand(new WorkBenchCommand(terminal))
                        .addSubcommand(new SimBenchCommand(terminal))
                        .addSubcommand(new SoakCommand(terminal)))
                .addSubcommand(new SimCommand(terminal))
                .addSubcommand(new FaultProxyCommand(terminal))
                .addSubcommand(new VersionCommand(terminal))
                .addSubcommand(new CompletionCommand(terminal, line))
                .addSubcommand(new WarmUpCommand(terminal, Commands::on));
        line.setOut(terminal.out())
                .setErr(terminal.err())
                .setUsageHelpAutoWidth(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(new Failures(terminal, root))
                .setExecutionExceptionHandler(new Failures(terminal, root));
        return line;
    }
}
