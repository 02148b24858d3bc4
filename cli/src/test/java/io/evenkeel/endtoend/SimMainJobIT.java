package io.evenkeel.endtoend;

import io.evenkeel.sandbox.kube.KubeSim;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimMainJobIT {
    @Test
    void givenASimulatedControlPlane_whenAUserGoesThroughTheLifeOfAMemcached_thenEachStepIsReconciledAndOnTheLog(
            @TempDir Path folder) throws Exception {
        try (KubeSim kubernetes = KubeSim.builder().simulateWorkloads(true).start()) {
            MainJobScenario.play(kubernetes.kubeconfig(), folder, true);
        }
    }
}
