package io.evenkeel.runtime.monitoring;

import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers the paths of {@link HttpEndpoint}. */
final class EndpointHandler extends Handler.Abstract {
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final Metrics metrics;
    private final HealthChecks checks;

    EndpointHandler(Metrics metrics, HealthChecks checks) {
        this.metrics = metrics;
        this.checks = checks;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            return answer(response, callback, 405, PLAIN, "only GET and HEAD are answered here\n");
        }
        return switch (Request.getPathInContext(request)) {
            case "/metrics" ->
                answer(
                        response,
                        callback,
                        200,
                        "text/plain; version=0.0.4; charset=utf-8",
                        metrics.registry().scrape());
            case "/livez" -> health(response, callback, checks.failing(HealthChecks.Kind.LIVE));
            case "/readyz" -> health(response, callback, checks.failing(HealthChecks.Kind.READY));
            case "/healthz" ->
                health(response, callback, checks.failing(HealthChecks.Kind.LIVE, HealthChecks.Kind.READY));
            case "/" -> answer(response, callback, 200, PLAIN, "/metrics\n/livez\n/readyz\n/healthz\n");
            default -> answer(response, callback, 404, PLAIN, "not found; try /metrics, /livez, /readyz, /healthz\n");
        };
    }

    private static boolean health(Response response, Callback callback, List<String> failing) {
        return failing.isEmpty()
                ? answer(response, callback, 200, PLAIN, "ok\n")
                : answer(response, callback, 503, PLAIN, String.join("\n", failing) + "\n");
    }

    private static boolean answer(Response response, Callback callback, int status, String type, String text) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, true, text, callback);
        return true;
    }
}
