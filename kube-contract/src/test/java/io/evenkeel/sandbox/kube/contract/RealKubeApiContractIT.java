package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cases against a real server with its controllers: what the simulated one is measured by. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(WaitingCases.class)
@TestMethodOrder(WaitingCases.Last.class)
@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#fullAvailable")
class RealKubeApiContractIT implements WholeContract {
    private final RealKubeApi real;
    private final ApiClient api;

    RealKubeApiContractIT() throws IOException {
        real = RealKubeApi.builder().full().build().start();
        api = new ApiClient(real.url(), real.token(), Files.readString(real.certificate()));
    }

    @BeforeAll
    void defineWidgets() {
        assertThat(api.post(DEFINITIONS, WIDGETS).code()).isEqualTo(201);
        DefinitionContract.awaitEstablished(api, "widgets.test.evenkeel.io");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> api.get(Contract.widgets("default")).code() == 200);
    }

    @Override
    public ApiClient api() {
        return api;
    }

    @Override
    public boolean isReal() {
        return true;
    }

    /** Its watch cache of a custom resource begins with the definition: so old a position is never known there. */
    @Override
    public void forgetHistory() {
        real.compact();
        real.compact(); // nothing more to forget, and no failure
    }

    @Override
    public String passingToken() {
        return ServiceAccountToken.endingSoon(api, real.folder());
    }

    @AfterAll
    void stop() {
        api.close();
        real.close();
    }
}
