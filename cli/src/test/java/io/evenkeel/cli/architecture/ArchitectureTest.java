package io.evenkeel.cli.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may know what. */
@AnalyzeClasses(packages = "io.evenkeel", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CLI = "io.evenkeel.cli..";
    private static final DescribedPredicate<JavaClass> OWN_WORKER = DescribedPredicate.describe(
            "Worker", type -> type.getName().matches("io\\.evenkeel\\.reconciler\\.Worker(\\$.*)?"));

    @ArchTest
    static final ArchRule schemasKnowNothingOfOurs = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.api..")
            .should()
            .dependOnClassesThat(ours("io.evenkeel.api"));

    @ArchTest
    static final ArchRule runtimeKnowsSchemasOnly = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.runtime..")
            .should()
            .dependOnClassesThat(ours("io.evenkeel.api", "io.evenkeel.runtime"));

    @ArchTest
    static final ArchRule stateKnowsWhatIsBelowIt = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.state..")
            .should()
            .dependOnClassesThat(ours("io.evenkeel.api", "io.evenkeel.runtime", "io.evenkeel.state"));

    @ArchTest
    static final ArchRule watcherKnowsNoWorker = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.watcher..")
            .should()
            .dependOnClassesThat(
                    ours("io.evenkeel.api", "io.evenkeel.runtime", "io.evenkeel.state", "io.evenkeel.watcher"));

    @ArchTest
    static final ArchRule workerKnowsNoWatcher = noClasses()
            .that()
            .resideInAnyPackage("io.evenkeel.reconciler..", "io.evenkeel.worker..")
            .should()
            .dependOnClassesThat(ours(
                    "io.evenkeel.api",
                    "io.evenkeel.runtime",
                    "io.evenkeel.state",
                    "io.evenkeel.reconciler",
                    "io.evenkeel.worker"))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule sandboxKnowsSchemasOnly = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.sandbox..")
            .should()
            .dependOnClassesThat(ours("io.evenkeel.api", "io.evenkeel.sandbox"));

    @ArchTest
    static final ArchRule onlyTheCommandLineUsesTheSandbox = noClasses()
            .that()
            .resideOutsideOfPackages(CLI, "io.evenkeel.sandbox..", "io.evenkeel.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.evenkeel.sandbox..");

    @ArchTest
    static final ArchRule examplesAreWrittenAsUsersWould = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.examples..")
            .should()
            .dependOnClassesThat(ours("io.evenkeel.reconciler", "io.evenkeel.examples"))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nobodyKnowsTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage(CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CLI);

    /** Worker does it for the main methods of users. */
    @ArchTest
    static final ArchRule onlyMainEndsTheProcess = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.evenkeel.cli.Main")
            .and(DescribedPredicate.not(OWN_WORKER))
            .should()
            .callMethod(System.class, "exit", int.class);

    @ArchTest
    static final ArchRule noJavaUtilLogging = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

    /** Worker is where the API that users see hands over to the engine behind it. */
    @ArchTest
    static final ArchRule onlyWorkerLeadsFromTheApiToTheEngine = noClasses()
            .that()
            .resideInAPackage("io.evenkeel.reconciler..")
            .and(DescribedPredicate.not(OWN_WORKER))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.evenkeel.worker..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noPackageCycles = slices().matching("io.evenkeel.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(OWN_WORKER, JavaClass.Predicates.resideInAPackage("io.evenkeel.worker.."));

    @ArchTest
    static final ArchRule testsLeaveNoTraceInProduction = classes()
            .that()
            .resideInAPackage("io.evenkeel..")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackages("org.junit..", "org.assertj..", "org.awaitility..");

    private static DescribedPredicate<JavaClass> ours(String... allowed) {
        return OtherModules.than(allowed);
    }
}
