package io.evenkeel.sandbox.fault;

import io.evenkeel.sandbox.fault.frame.FrameAct;
import io.evenkeel.sandbox.fault.frame.FrameLine;
import io.evenkeel.sandbox.fault.frame.FrameSplitter;
import io.evenkeel.sandbox.fault.front.Front;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.KubeRequest;
import io.evenkeel.sandbox.fault.rule.KubeStatus;
import io.evenkeel.sandbox.fault.rule.Plan;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.stale.StaleView;
import io.evenkeel.sandbox.fault.stale.StaleViews;
import io.evenkeel.sandbox.fault.upstream.Header;
import io.evenkeel.sandbox.fault.upstream.UpstreamClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way through the proxy, on a thread of its own that an interrupt ends. Writing to the client
 * blocks while the client does not read, and then nothing more is read from the server: that is the back-pressure.
 */
final class Exchange implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
    private static final byte[] GARBAGE = "}{ this is not JSON\n".getBytes(StandardCharsets.UTF_8);
    private static final KubeStatus UPGRADE = new KubeStatus(
            501,
            "NotImplemented",
            "exec, attach and port-forward need an upgraded connection, which does not pass the fault proxy",
            Optional.empty(),
            Optional.empty());

    private final Shared shared;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final KubeRequest kube;
    private final List<Header> headers;
    private volatile boolean clientHasGone;

    /**
     * What the exchanges of a proxy have in common.
     *
     * @param ledger decides and counts
     * @param client to the server
     * @param stale the recorded past
     * @param blackouts goes dark on demand
     */
    record Shared(Ledger ledger, UpstreamClient client, StaleViews stale, Blackouts blackouts) {}

    Exchange(Shared shared, KubeRequest kube, Request request, Response response, Callback callback) {
        this.shared = shared;
        this.kube = kube;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.headers = request.getHeaders().stream()
                .map(field -> new Header(field.getName(), field.getValue() == null ? "" : field.getValue()))
                .toList();
    }

    @Override
    public void run() {
        try {
            if (headers.stream().anyMatch(header -> header.is("Upgrade"))) {
                refuse(UPGRADE);
                return;
            }
            byte[] body = Request.asInputStream(request).readAllBytes();
            if (shared.ledger.wantsHistory(kube)) {
                shared.stale.of(kube, headers);
            }
            Plan plan = shared.ledger.decide(kube);
            for (Plan.Hit<Fault.Delay> delay : plan.delays()) {
                happened(delay);
                Thread.sleep(Plan.wait(delay));
            }
            if (plan.decisive().isPresent()) {
                decisive(plan.decisive().get(), body);
            } else {
                forward(plan.frames(), body);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            // The client has gone, or the server has: then the client must not take what it has for the whole.
            log.atDebug()
                    .addKeyValue("path", kube.path())
                    .addKeyValue("cause", e.toString())
                    .log("exchange broke off");
            abandon(e);
        }
    }

    private void abandon(Throwable cause) {
        if (response.isCommitted()) {
            callback.failed(cause);
        } else if (clientHasGone) {
            callback.succeeded(); // to nobody; a failure would be logged as one of ours
        } else {
            cut(); // an error page would be an answer, and a server that is gone gives none
        }
    }

    /** To be called before the interrupt that comes of it. */
    void clientHasGone() {
        clientHasGone = true;
    }

    private void happened(Plan.Hit<?> hit) {
        happened(hit.rule());
    }

    private void happened(String rule) {
        shared.ledger.happened(rule);
        log.atDebug()
                .addKeyValue("rule", rule)
                .addKeyValue("cluster", kube.cluster())
                .addKeyValue("verb", kube.verb().text())
                .addKeyValue("path", kube.path())
                .log("fault injected");
    }

    private void decisive(Plan.Hit<Fault.Decisive> hit, byte[] body) throws IOException, InterruptedException {
        switch (hit.fault()) {
            case Fault.Answer answer -> {
                happened(hit);
                refuse(KubeStatus.of(hit.rule(), answer));
            }
            case Fault.Garbage garbage -> {
                happened(hit);
                answer(200, GARBAGE);
            }
            case Fault.NoAnswer noAnswer -> {
                happened(hit);
                holdOpen();
            }
            case Fault.Cut cut -> {
                happened(hit);
                cut();
            }
            case Fault.LoseAnswer lose -> {
                try (InputStream answer = send(headers, body).body()) {
                    answer.readAllBytes(); // only then it has been carried out for sure
                }
                happened(hit);
                cut();
            }
            case Fault.Truncate truncate -> truncate(hit, truncate, body);
            case Fault.StaleView view -> stale(hit, view, body);
            case Fault.Blackout blackout -> {
                happened(hit);
                shared.blackouts.begin(blackout);
                switch (blackout.darkness()) {
                    case SILENT -> forward(List.of(), body); // answered when the black hole gives it back
                    case REFUSED -> cut();
                }
            }
        }
    }

    private HttpResponse<InputStream> send(List<Header> requestHeaders, byte[] body)
            throws IOException, InterruptedException {
        return shared.client.send(request.getMethod(), request.getHttpURI().getPathQuery(), requestHeaders, body);
    }

    private void begin(HttpResponse<InputStream> answer) {
        response.setStatus(answer.statusCode());
        List<Header> received = new ArrayList<>();
        answer.headers()
                .map()
                .forEach((name, values) -> values.forEach(value -> received.add(new Header(name, value))));
        Header.endToEnd(received).forEach(header -> response.getHeaders().add(header.name(), header.value()));
    }

    private void forward(List<Plan.Hit<Fault.OnFrames>> frames, byte[] body) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = send(frames.isEmpty() ? headers : readableFrames(), body);
        try (InputStream stream = answer.body()) {
            begin(answer);
            if (answer.statusCode() != 200 || frames.isEmpty()) {
                pump(stream);
            } else {
                FrameLine line = new FrameLine(frames);
                pump(stream, line);
            }
        }
    }

    /** Frames can be told apart if they are lines of JSON, not compressed. */
    private List<Header> readableFrames() {
        return headers.stream()
                .filter(header -> !header.is("Accept-Encoding"))
                .map(header -> header.is("Accept") && header.value().contains("protobuf")
                        ? new Header("Accept", "application/json")
                        : header)
                .toList();
    }

    private void pump(InputStream stream) throws IOException {
        write(NOTHING); // the head must not wait for the first byte of the body
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int length = stream.read(buffer); length >= 0; length = stream.read(buffer)) {
            write(ByteBuffer.wrap(buffer, 0, length));
        }
        finish();
    }

    private void pump(InputStream stream, FrameLine line) throws IOException, InterruptedException {
        write(NOTHING);
        FrameSplitter splitter = new FrameSplitter();
        byte[] buffer = new byte[BUFFER_BYTES];
        if (!perform(line.opened())) {
            return;
        }
        for (int length = stream.read(buffer); length >= 0; length = stream.read(buffer)) {
            for (ByteBuffer frame : splitter.accept(buffer, length)) {
                if (!perform(line.frame(frame))) {
                    return;
                }
            }
        }
        if (perform(line.ended())) {
            write(splitter.rest());
            finish();
        }
    }

    /** @return false if the watch is over */
    private boolean perform(List<FrameAct> acts) throws IOException, InterruptedException {
        for (FrameAct act : acts) {
            switch (act) {
                case FrameAct.Count count -> happened(count.rule());
                case FrameAct.Send send -> write(send.frame().slice());
                case FrameAct.Pause pause -> Thread.sleep(pause.duration());
                case FrameAct.End end -> {
                    switch (end.way()) {
                        case CLOSE -> finish();
                        case CUT -> cut();
                        case SILENCE -> holdOpen();
                    }
                    return false;
                }
            }
        }
        return true;
    }

    private void truncate(Plan.Hit<Fault.Decisive> hit, Fault.Truncate truncate, byte[] body)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = send(headers, body);
        try (InputStream stream = answer.body()) {
            byte[] kept = stream.readNBytes((int) Math.min(truncate.keepBytes(), Integer.MAX_VALUE - 8));
            if (stream.read() < 0) { // shorter than that: nothing is missing, and nothing happened
                begin(answer);
                write(ByteBuffer.wrap(kept));
                finish();
                return;
            }
            begin(answer);
            happened(hit);
            switch (truncate.ending()) {
                case CLEAN -> {
                    response.getHeaders().remove("Content-Length");
                    write(ByteBuffer.wrap(kept));
                    finish();
                }
                case CUT -> {
                    write(ByteBuffer.wrap(kept));
                    cut();
                }
            }
        }
    }

    private void stale(Plan.Hit<Fault.Decisive> hit, Fault.StaleView fault, byte[] body)
            throws IOException, InterruptedException {
        Optional<StaleView> view = shared.stale.of(kube, headers);
        if (view.isEmpty()) {
            forward(List.of(), body);
            return;
        }
        happened(hit);
        if (kube.verb() == Verb.WATCH) {
            response.setStatus(200);
            response.getHeaders().put("Content-Type", "application/json");
            write(NOTHING);
            view.get()
                    .watch(
                            kube,
                            fault.changesBehind(),
                            frame -> write(ByteBuffer.wrap(frame)),
                            () -> shared.ledger.holds(hit.rule()));
            finish();
            return;
        }
        switch (view.get().list(kube, fault.changesBehind())) {
            case StaleView.Listed.Complete complete ->
                answer(200, complete.json().getBytes(StandardCharsets.UTF_8));
            case StaleView.Listed.Refused refused -> refuse(refused.status());
        }
    }

    private void refuse(KubeStatus status) throws IOException {
        status.retryAfterSeconds().ifPresent(seconds -> response.getHeaders().put("Retry-After", seconds));
        answer(status.status(), status.json());
    }

    private void answer(int status, byte[] json) throws IOException {
        response.setStatus(status);
        response.getHeaders().put("Content-Type", "application/json");
        response.getHeaders().put("Content-Length", json.length);
        write(ByteBuffer.wrap(json));
        finish();
    }

    private void write(ByteBuffer bytes) throws IOException {
        Content.Sink.write(response, false, bytes);
    }

    private void finish() throws IOException {
        Content.Sink.write(response, true, NOTHING.slice());
        callback.succeeded();
    }

    private void cut() {
        Front.cut(request);
        if (response.isCommitted()) {
            callback.failed(new IOException("cut"));
        } else {
            callback.succeeded(); // nothing can go out any more; a failure would be logged as one of ours
        }
    }

    /** Until the client leaves or the proxy closes; both interrupt this thread. */
    private static void holdOpen() throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
