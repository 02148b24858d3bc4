package io.evenkeel.cli.bench.work;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An API server that takes requests and answers none. */
final class SilentServer implements AutoCloseable {
    private final ServerSocket socket;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    SilentServer() {
        try {
            socket = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("silent-server").start(this::accept);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket caller = socket.accept();
                open.add(caller);
                Thread.ofVirtual().start(() -> note(caller));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void note(Socket caller) {
        try {
            String line = new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            requests.add(line == null ? "" : line);
        } catch (IOException e) {
            requests.add(String.valueOf(e.getMessage()));
        }
    }

    /** First lines of the requests so far, such as {@code GET /version HTTP/1.1}. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** A kubeconfig for it. */
    String kubeconfig(String cluster) {
        return """
            apiVersion: v1
            kind: Config
            current-context: %1$s
            clusters: [{name: %1$s, cluster: {server: "http://127.0.0.1:%2$d"}}]
            users: [{name: %1$s, user: {}}]
            contexts: [{name: %1$s, context: {cluster: %1$s, user: %1$s}}]
            """.formatted(cluster, socket.getLocalPort());
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket caller : open) {
                caller.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
