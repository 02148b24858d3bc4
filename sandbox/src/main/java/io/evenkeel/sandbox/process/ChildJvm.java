package io.evenkeel.sandbox.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How to run Java code as a process of its own: a role of the program that a test wants to kill or freeze.
 *
 * <pre>{@code
 * try (ChildProcess worker = ChildJvm.of(WorkerMain.class).arguments("--port", "0").output(folder.resolve("worker.log")).start()) {
 *     worker.awaitLine("ready", Duration.ofSeconds(20));
 *     worker.kill();
 * }
 * }</pre>
 */
public final class ChildJvm {
    private final List<String> entryPoint;
    private final List<String> jvmArguments = new ArrayList<>(
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private Path output = Path.of("child.log");

    private ChildJvm(List<String> entryPoint) {
        this.entryPoint = entryPoint;
    }

    /** Runs a main class with the class path of this JVM. */
    public static ChildJvm of(Class<?> mainClass) {
        return of(mainClass.getName(), classPath());
    }

    /** Runs a main class with another class path. */
    public static ChildJvm of(String mainClass, String classPath) {
        return new ChildJvm(List.of("-cp", classPath, mainClass));
    }

    /** Runs a jar whose manifest names its main class and class path. */
    public static ChildJvm ofJar(Path jar) {
        return new ChildJvm(List.of("-jar", jar.toString()));
    }

    /** Under Maven the class path proper is one jar that only refers to the real one, and that goes with this JVM. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Adds arguments for the program. */
    public ChildJvm arguments(String... added) {
        arguments.addAll(List.of(added));
        return this;
    }

    /** Adds arguments for the JVM; small-machine defaults (serial collector, fast compiler) are set already. */
    public ChildJvm jvmArguments(String... added) {
        jvmArguments.addAll(List.of(added));
        return this;
    }

    /** Adds an environment variable. */
    public ChildJvm environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Where standard output and error are appended to; {@code child.log} in the working folder if not said. */
    public ChildJvm output(Path file) {
        output = file;
        return this;
    }

    /** Starts it with the Java that runs this JVM; may be called again for a second process. */
    public ChildProcess start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(entryPoint);
        command.addAll(arguments);
        return ChildProcess.start(command, environment, output);
    }
}
