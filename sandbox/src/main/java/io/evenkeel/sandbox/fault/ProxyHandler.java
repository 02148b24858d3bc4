package io.evenkeel.sandbox.fault;

import io.evenkeel.sandbox.fault.rule.KubeRequest;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Gives every request a virtual thread, and interrupts it when its client has gone. */
final class ProxyHandler extends Handler.Abstract {
    private final String cluster;
    private final CompletableFuture<Exchange.Shared> shared = new CompletableFuture<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    ProxyHandler(String cluster) {
        this.cluster = cluster;
    }

    /** Requests wait for this. */
    void serve(Exchange.Shared newShared) {
        shared.complete(newShared);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        KubeRequest kube = KubeRequest.of(
                cluster, request.getMethod(), request.getHttpURI().getPathQuery());
        Exchange exchange = new Exchange(shared.join(), kube, request, response, callback);
        Thread thread = Thread.ofVirtual().name("fault-proxy " + kube.path()).unstarted(() -> {
            try {
                exchange.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        request.addFailureListener(failure -> {
            exchange.clientHasGone();
            thread.interrupt();
        });
        thread.start();
        return true;
    }

    void interruptAll() {
        threads.forEach(Thread::interrupt);
    }
}
