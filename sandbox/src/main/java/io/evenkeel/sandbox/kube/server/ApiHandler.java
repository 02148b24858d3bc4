package io.evenkeel.sandbox.kube.server;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import io.evenkeel.sandbox.kube.cluster.Watch;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates HTTP requests for the cluster that their path names, and its answers. */
public final class ApiHandler extends Handler.Abstract {
    private static final Logger log = LoggerFactory.getLogger(ApiHandler.class);

    /** Where a request goes: a cluster, and the path within it. */
    public record Target(Cluster cluster, List<String> path) {}

    /** Finds the cluster of a path; empty if there is none. */
    public interface Clusters {
        Optional<Target> find(List<String> path);
    }

    /** Tells who holds a token; empty if nobody does. */
    public interface Authentication {
        Optional<User> user(Cluster cluster, String token);
    }

    private final Clusters clusters;
    private final Authentication authentication;
    private final Executor executor;

    public ApiHandler(Clusters clusters, Authentication authentication, Executor executor) {
        this.clusters = clusters;
        this.authentication = authentication;
        this.executor = executor;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<Target> target = clusters.find(segments(request.getHttpURI().getPath()));
        if (target.isEmpty()) {
            send(response, callback, ApiResponse.text(404, "404 page not found\n"));
            return true;
        }
        Cluster cluster = target.get().cluster();
        Optional<User> user = request.getHeaders().contains(HttpHeader.AUTHORIZATION)
                ? authentication.user(cluster, token(request))
                : Optional.of(User.ANONYMOUS);
        if (user.isEmpty()) {
            send(response, callback, ApiResponse.failure(ApiFailure.unauthorized()));
            return true;
        }
        String impersonated = impersonated(request);
        // A name alone has no rights here: roles are not simulated.
        User asking = impersonated.isEmpty() ? user.get() : new User(impersonated, List.of());
        ApiRequest call = request(request, target.get().path(), asking);
        if (call.flag("watch") && header(request, HttpHeader.UPGRADE).equalsIgnoreCase("websocket")) {
            // A whole answer instead of 101 is what a proxy gives that knows no WebSockets: client libraries then watch
            // by HTTP at once. After an error they would try again first, and an endless stream would hold them up.
            send(response, callback, ApiResponse.text(200, "watches by WebSocket are not simulated\n"));
            return true;
        }
        try {
            Optional<Watch> watch = cluster.watch(call);
            if (watch.isPresent()) {
                WatchStream.start(watch.get(), request, response, callback, executor);
            } else {
                send(response, callback, cluster.handle(call));
            }
        } catch (ApiFailure failure) {
            send(response, callback, ApiResponse.failure(failure));
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("method", request.getMethod())
                    .addKeyValue("path", request.getHttpURI().getPath())
                    .setCause(e)
                    .log("request failed");
            send(response, callback, ApiResponse.failure(ApiFailure.internalError(String.valueOf(e.getMessage()))));
        }
        return true;
    }

    private static String token(Request request) {
        String header = header(request, HttpHeader.AUTHORIZATION);
        return header.regionMatches(true, 0, "Bearer ", 0, 7)
                ? header.substring(7).trim()
                : "";
    }

    private static String impersonated(Request request) {
        String name = request.getHeaders().get("Impersonate-User");
        return name == null ? "" : name;
    }

    private static ApiRequest request(Request request, List<String> path, User user) throws Exception {
        boolean hasBody =
                !request.getMethod().equals("GET") && !request.getMethod().equals("HEAD");
        byte[] body = new byte[0];
        if (hasBody) {
            ByteBuffer read = Content.Source.asByteBuffer(request);
            body = new byte[read.remaining()];
            read.get(body);
        }
        return new ApiRequest(
                request.getMethod(),
                path,
                query(request),
                String.join(",", request.getHeaders().getValuesList(HttpHeader.ACCEPT)),
                header(request, HttpHeader.CONTENT_TYPE),
                header(request, HttpHeader.USER_AGENT),
                new ApiRequest.Body(body),
                user);
    }

    private static String header(Request request, HttpHeader name) {
        HttpField field = request.getHeaders().getField(name);
        return field == null || field.getValue() == null ? "" : field.getValue();
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            if (!segment.isEmpty()) {
                segments.add(decode(segment.replace("+", "%2B")));
            }
        }
        return segments;
    }

    private static Map<String, String> query(Request request) {
        Map<String, String> query = new HashMap<>();
        String text = request.getHttpURI().getQuery();
        if (text != null && !text.isEmpty()) {
            for (String parameter : text.split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                query.putIfAbsent(decode(name), equals < 0 ? "" : decode(parameter.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decode(String text) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(Response response, Callback callback, ApiResponse answer) {
        response.setStatus(answer.code());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
        answer.warnings()
                .forEach(warning -> response.getHeaders()
                        .add(
                                "Warning",
                                "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\""));
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
    }
}
