package io.evenkeel.cli.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;

/** Classes of ours outside some packages. */
final class OtherModules {
    private OtherModules() {}

    /** Classes of this project that lie in none of the packages or their sub-packages. */
    static DescribedPredicate<JavaClass> than(String... packages) {
        return DescribedPredicate.describe("are ours but outside of " + Arrays.toString(packages), type -> {
            String name = type.getPackageName();
            return isIn(name, "io.evenkeel") && Arrays.stream(packages).noneMatch(allowed -> isIn(name, allowed));
        });
    }

    private static boolean isIn(String name, String root) {
        return name.equals(root) || name.startsWith(root + ".");
    }
}
