package io.evenkeel.sandbox.kafka;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import kafka.network.RequestChannel;
import kafka.server.ApiRequestHandler;
import kafka.server.KafkaRequestHandlerPool;
import kafka.server.KafkaRequestHandlerPoolFactory;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.network.Request;
import org.apache.kafka.server.common.RequestLocal;

/**
 * Stands between a broker's network threads and what answers the requests, and answers some of them itself. One gate
 * serves all brokers of a cluster and outlives their restarts. Thread-safe.
 */
final class RequestGate {
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong swallowed = new AtomicLong();
    private volatile Optional<Refusal> refusal = Optional.empty();
    private volatile Predicate<String> cutOff = clientId -> false;

    private record Refusal(Predicate<String> topics, ApiException error) {}

    /** From now on answers each append that touches such a topic by this error; nothing of it is written. */
    void refuseAppends(Predicate<String> topics, ApiException error) {
        refusal = Optional.of(new Refusal(topics, error));
    }

    void allowAppends() {
        refusal = Optional.empty();
    }

    /** From now on requests of such clients are lost on their way: nothing is done, and nothing answered. */
    void cutOff(Predicate<String> clientIds) {
        cutOff = clientIds;
    }

    /** How many requests were lost so far. */
    long swallowedRequests() {
        return swallowed.get();
    }

    /** How many appends were refused so far. */
    long refusedAppends() {
        return refused.get();
    }

    /**
     * The factory of one broker's request handlers.
     *
     * @param hold what each request has to pass before it is handled
     * @param topicName what the broker knows of topic ids; newer clients send no names
     */
    KafkaRequestHandlerPoolFactory inFrontOf(Hold hold, Function<Uuid, Optional<String>> topicName) {
        return new KafkaRequestHandlerPoolFactory() {
            @Override
            public KafkaRequestHandlerPool createPool(
                    int nodeId,
                    RequestChannel channel,
                    ApiRequestHandler handler,
                    Time time,
                    int threads,
                    String nodeName) {
                return super.createPool(
                        nodeId, channel, new Gated(channel, handler, hold, topicName), time, threads, nodeName);
            }
        };
    }

    private final class Gated implements ApiRequestHandler {
        private final RequestChannel channel;
        private final ApiRequestHandler handler;
        private final Hold hold;
        private final Function<Uuid, Optional<String>> topicName;

        Gated(
                RequestChannel channel,
                ApiRequestHandler handler,
                Hold hold,
                Function<Uuid, Optional<String>> topicName) {
            this.channel = channel;
            this.handler = handler;
            this.hold = hold;
            this.topicName = topicName;
        }

        @Override
        public void handle(Request request, RequestLocal local) {
            hold.pass();
            if (cutOff.test(request.header().clientId())) {
                swallowed.incrementAndGet();
                return; // its connection stays as it is until the client gives it up
            }
            Optional<ApiException> error = refusal.filter(refusal -> concerns(request, refusal.topics()))
                    .map(Refusal::error);
            if (error.isPresent()) {
                refuse(request, error.get());
            } else {
                handler.handle(request, local);
            }
        }

        private boolean concerns(Request request, Predicate<String> topics) {
            return request.header().apiKey() == ApiKeys.PRODUCE
                    && request.body(ProduceRequest.class).data().topicData().stream()
                            .anyMatch(topic -> name(topic).filter(topics).isPresent());
        }

        private Optional<String> name(TopicProduceData topic) {
            return topic.name().isEmpty() ? topicName.apply(topic.topicId()) : Optional.of(topic.name());
        }

        private void refuse(Request request, ApiException error) {
            refused.incrementAndGet();
            AbstractResponse answer = request.body().getErrorResponse(error);
            if (answer == null) { // acks=0: the client does not listen
                channel.sendNoOpResponse(request);
            } else {
                channel.sendResponse(request, answer);
            }
        }

        @Override
        public void tryCompleteActions() {
            handler.tryCompleteActions();
        }
    }
}
