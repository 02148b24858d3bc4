package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cases against the simulated server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(WaitingCases.class)
@TestMethodOrder(WaitingCases.Last.class)
class KubeSimContractIT implements WholeContract {
    private final KubeSim sim;
    private final ApiClient api;

    KubeSimContractIT() throws IOException {
        sim = KubeSim.builder().simulateWorkloads(true).start();
        api = new ApiClient(sim.baseUrl(), sim.token(), sim.certificateAuthority());
    }

    @BeforeAll
    void defineWidgets() {
        assertThat(api.post(DEFINITIONS, WIDGETS).code()).isEqualTo(201);
        DefinitionContract.awaitEstablished(api, "widgets.test.evenkeel.io");
    }

    @Override
    public ApiClient api() {
        return api;
    }

    @Override
    public boolean isReal() {
        return false;
    }

    @Override
    public void forgetHistory() {
        sim.compact();
    }

    @Override
    public String passingToken() {
        sim.access().grantAll("passing", "somebody");
        sim.access().revokeAt("passing", Instant.now().plusSeconds(3));
        return "passing";
    }

    @AfterAll
    void stop() {
        api.close();
        sim.close();
    }
}
