package io.evenkeel.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.sandbox.real.RealKubeApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RealMainJobIT {
    @Test
    void givenARealControlPlane_whenAUserGoesThroughTheLifeOfAMemcached_thenEachStepIsReconciledAndOnTheLog(
            @TempDir Path folder) throws Exception {
        assumeTrue(RealKubeApi.assetsOrExplain().isPresent() && RealKubeApi.fullAvailable());
        try (RealKubeApi kubernetes = RealKubeApi.builder().full().build().start()) {
            MainJobScenario.play(kubernetes.kubeconfig(), folder, true);
        }
    }
}
