package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Verb;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class AnswerFaultsIT {
    private static final String COLLECTION = TinyUpstream.COLLECTION;

    private final TinyUpstream upstream = new TinyUpstream();
    private final FaultProxy proxy = FaultProxy.before(upstream.address()).start();

    @AfterEach
    void stop() {
        proxy.close();
        upstream.close();
    }

    @ParameterizedTest
    @CsvSource({
        "401,Unauthorized",
        "403,Forbidden",
        "404,NotFound",
        "409,Conflict",
        "410,Expired",
        "429,TooManyRequests",
        "500,InternalError",
        "503,ServiceUnavailable"
    })
    void givenARuleThatRefuses_whenAsked_thenItIsAStatusAndTheServerIsNotAsked(int status, String reason)
            throws Exception {
        proxy.add(Rule.named("refuse")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .times(1)
                .then(Fault.answer(status).retryAfter(Duration.ofSeconds(7))));
        try (PlainClient client = PlainClient.of(proxy)) {
            HttpResponse<byte[]> answer = client.get(COLLECTION);

            JsonNode body = Json.mapper().readTree(answer.body());
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().firstValue("Retry-After")).contains("7");
            assertThat(body.path("kind").asString()).isEqualTo("Status");
            assertThat(body.path("reason").asString()).isEqualTo(reason);
            assertThat(body.path("code").asInt()).isEqualTo(status);
            assertThat(body.path("details").path("retryAfterSeconds").asInt()).isEqualTo(7);
            assertThat(upstream.requests()).isEmpty();
            assertThat(client.get(COLLECTION).statusCode()).isEqualTo(200);
        }
        assertThat(proxy.counts()).containsEntry("refuse", new RuleCount(2, 1, 1));
    }

    @Test
    void givenGarbage_whenAsked_thenTheAnswerIsComplete_butNotJson() throws Exception {
        proxy.add(Rule.named("garbage").then(new Fault.Garbage()));
        try (PlainClient client = PlainClient.of(proxy)) {
            HttpResponse<byte[]> answer = client.get(COLLECTION);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).startsWith("}{");
        }
        assertThat(proxy.happened("garbage")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenATruncatedBody_whenItEndsCleanly_thenOnlyTheJsonTells(HttpClient.Version version) throws Exception {
        upstream.change(100);
        proxy.add(Rule.named("half").nth(1).then(new Fault.Truncate(1_000, Fault.Truncate.Ending.CLEAN)));
        try (PlainClient client = PlainClient.of(proxy, version)) {
            assertThat(client.get(COLLECTION).body()).hasSize(1_000);
            assertThat(client.get(COLLECTION).body()).hasSizeGreaterThan(5_000);
        }
        assertThat(proxy.happened("half")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenATruncatedBody_whenItIsCut_thenTheClientSeesItBreak(HttpClient.Version version) {
        upstream.change(100);
        proxy.add(Rule.named("half").then(new Fault.Truncate(1_000, Fault.Truncate.Ending.CUT)));
        try (PlainClient client = PlainClient.of(proxy, version)) {
            assertThatThrownBy(() -> client.get(COLLECTION)).isInstanceOf(IOException.class);
        }
        assertThat(proxy.happened("half")).isEqualTo(1);
    }

    @Test
    void givenATruncatedBody_whenTheAnswerIsShorter_thenItIsWholeAndNothingHappened() throws Exception {
        proxy.add(Rule.named("half").then(new Fault.Truncate(1_000, Fault.Truncate.Ending.CUT)));
        try (PlainClient client = PlainClient.of(proxy)) {
            assertThat(client.text(COLLECTION)).endsWith("\"items\":[]}");
        }
        assertThat(proxy.counts()).containsEntry("half", new RuleCount(1, 1, 0));
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenACut_whenAsked_thenTheConnectionBreaksAndTheServerIsNotAsked(HttpClient.Version version)
            throws Exception {
        proxy.add(Rule.named("cut").verbs(Verb.CREATE).nth(1).then(new Fault.Cut()));
        try (PlainClient client = PlainClient.of(proxy, version)) {
            assertThatThrownBy(() -> client.send(create(client))).isInstanceOf(IOException.class);
            assertThat(upstream.requests()).isEmpty();
            assertThat(client.send(create(client)).statusCode()).isEqualTo(200);
        }
        assertThat(proxy.happened("cut")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void givenALostAnswer_whenWritten_thenTheWriteIsCarriedOutOnceAndTheClientSeesItBreak(HttpClient.Version version)
            throws Exception {
        proxy.add(Rule.named("lost").verbs(Verb.CREATE).nth(1).then(new Fault.LoseAnswer()));
        try (PlainClient client = PlainClient.of(proxy, version)) {
            assertThatThrownBy(() -> client.send(create(client))).isInstanceOf(IOException.class);
            assertThat(upstream.requests()).containsExactly("POST " + COLLECTION);
            assertThat(client.text(COLLECTION)).contains("\"name\":\"m1\"");
        }
        assertThat(proxy.happened("lost")).isEqualTo(1);
    }

    @Test
    void givenNoAnswer_whenAsked_thenItNeverComesAndTheConnectionServesOthers() throws Exception {
        proxy.add(Rule.named("mute").verbs(Verb.LIST).then(new Fault.NoAnswer()));
        try (PlainClient client = PlainClient.of(proxy)) {
            assertThatThrownBy(() -> client.get(COLLECTION, Duration.ofMillis(300)))
                    .isInstanceOf(HttpTimeoutException.class);
            assertThat(client.get("/version").statusCode()).isEqualTo(203);
        }
        assertThat(proxy.happened("mute")).isEqualTo(1);
    }

    @Test
    void givenDelays_whenAsked_thenTheyAddUpAndTheAnswerIsTheServers() throws Exception {
        proxy.add(Rule.named("slow").then(Fault.delay(Duration.ofMillis(150))));
        proxy.add(Rule.named("jitter").then(new Fault.Delay(Duration.ofMillis(100), Duration.ofMillis(50))));
        try (PlainClient client = PlainClient.of(proxy)) {
            long start = System.nanoTime();
            assertThat(client.get(COLLECTION).statusCode()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(250));
        }
        assertThat(proxy.happened("slow")).isEqualTo(1);
        assertThat(proxy.happened("jitter")).isEqualTo(1);
    }

    private static HttpRequest.Builder create(PlainClient client) {
        return client.request(COLLECTION).POST(HttpRequest.BodyPublishers.ofString("{}"));
    }
}
