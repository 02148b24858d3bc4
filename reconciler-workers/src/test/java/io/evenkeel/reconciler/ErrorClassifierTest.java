package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorClassifierTest {
    @ParameterizedTest
    @CsvSource({
        "400, TERMINAL", "405, TERMINAL", "406, TERMINAL", "413, TERMINAL", "415, TERMINAL", "422, TERMINAL",
        "401, TRANSIENT", "403, TRANSIENT", "404, TRANSIENT", "500, TRANSIENT", "503, TRANSIENT", "504, TRANSIENT",
        "409, CONFLICT", "429, THROTTLED", "0, UNREACHABLE", "-1, UNREACHABLE"
    })
    void givenAnAnswer_whenClassified_thenByItsCode(int code, ErrorClass expected) {
        var answer = new KubernetesClientException(
                "refused", code, new StatusBuilder().withCode(code).build());
        assertThat(ErrorClassifier.standard().classify(answer)).contains(expected);
        assertThat(ErrorClassifier.standard().classify(new IllegalStateException("wrapped", answer)))
                .contains(expected);
    }

    @Test
    void givenAServerThatSaysWhenToComeBack_whenClassified_thenThrottled() {
        var overloaded = new KubernetesClientException(
                "overloaded",
                500,
                new StatusBuilder()
                        .withNewDetails()
                        .withRetryAfterSeconds(7)
                        .endDetails()
                        .build());
        assertThat(ErrorClassifier.standard().classify(overloaded)).contains(ErrorClass.THROTTLED);
        assertThat(ErrorClassifier.retryAfterSeconds(overloaded)).isEqualTo(7);
    }

    @Test
    void givenAnErrorOfTheHandlersOwn_whenClassified_thenTransientUnlessSomebodyKnowsBetter() {
        var own = new IOException("the other service is down");
        assertThat(ErrorClassifier.standard().classify(own)).contains(ErrorClass.TRANSIENT);
        ErrorClassifier knows =
                error -> error instanceof IOException ? Optional.of(ErrorClass.THROTTLED) : Optional.empty();
        assertThat(knows.or(ErrorClassifier.standard()).classify(own)).contains(ErrorClass.THROTTLED);
        assertThat(knows.or(ErrorClassifier.standard()).classify(new IllegalStateException()))
                .contains(ErrorClass.TRANSIENT);
    }

    @Test
    void givenARingOfCauses_whenClassified_thenItComesToAnEnd() {
        var first = new IllegalStateException("first");
        var second = new IllegalStateException("second", first);
        first.initCause(second);
        assertThat(ErrorClassifier.standard().classify(first)).contains(ErrorClass.TRANSIENT);
    }
}
