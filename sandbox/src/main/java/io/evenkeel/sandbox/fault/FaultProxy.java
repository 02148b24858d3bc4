package io.evenkeel.sandbox.fault;

import io.evenkeel.sandbox.PortTakenException;
import io.evenkeel.sandbox.fault.front.Front;
import io.evenkeel.sandbox.fault.front.LoopbackCertificate;
import io.evenkeel.sandbox.fault.rule.Darkness;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.RuleBook;
import io.evenkeel.sandbox.fault.stale.StaleViews;
import io.evenkeel.sandbox.fault.upstream.Upstream;
import io.evenkeel.sandbox.fault.upstream.UpstreamClient;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reverse proxy on loopback before one Kubernetes API server. Without rules it changes no byte; with rules it
 * misbehaves, and counts how often. Equal rules and seeds do the same to equal sequences of requests.
 *
 * <p>Credentials of clients go through, except client certificates, which end at the proxy's TLS. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final Upstream upstream;
    private final Ledger ledger;
    private final LoopbackCertificate certificate;
    private final UpstreamClient client;
    private final StaleViews stale;
    private final ProxyHandler handler;
    private final Front front;
    private final Blackouts blackouts;

    private FaultProxy(Upstream upstream, RuleBook book, int port) {
        this.upstream = upstream;
        this.ledger = new Ledger(book);
        this.certificate = LoopbackCertificate.create(Instant.now());
        this.client = new UpstreamClient(upstream);
        this.stale = new StaleViews(client);
        this.handler = new ProxyHandler(upstream.cluster());
        Front started;
        try {
            started = Front.start(port, certificate, handler);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
        this.front = started;
        this.blackouts = new Blackouts(front);
        handler.serve(new Exchange.Shared(ledger, client, stale, blackouts));
    }

    /** A proxy before this server, without rules and on a free port unless told otherwise. */
    public static Builder before(Upstream upstream) {
        return new Builder(upstream, new RuleBook(0, List.of()), 0);
    }

    /**
     * What a proxy will be. Immutable.
     *
     * @param upstream the server behind
     * @param book its rules
     * @param port to listen on; 0 for a free one
     */
    public record Builder(Upstream upstream, RuleBook book, int port) {
        /** With another seed. */
        public Builder seed(long seed) {
            return new Builder(upstream, new RuleBook(seed, book.rules()), port);
        }

        /** With these rules behind those it has. */
        public Builder rules(Rule... rules) {
            RuleBook more = book;
            for (Rule rule : rules) {
                more = more.plus(rule);
            }
            return new Builder(upstream, more, port);
        }

        /** With these rules and their seed instead. */
        public Builder book(RuleBook newBook) {
            return new Builder(upstream, newBook, port);
        }

        /** On this port. */
        public Builder port(int newPort) {
            return new Builder(upstream, book, newPort);
        }

        /**
         * Starts to listen.
         *
         * @throws PortTakenException if the port is in use
         * @throws IllegalArgumentException if the certificates for the server can't be used
         */
        public FaultProxy start() {
            return new FaultProxy(upstream, book, port);
        }
    }

    /** Where clients connect to. */
    public URI url() {
        return URI.create("https://127.0.0.1:" + front.port());
    }

    /** What clients must trust. */
    public String certificatePem() {
        return certificate.pem();
    }

    /** What rules call the cluster behind. */
    public String cluster() {
        return upstream.cluster();
    }

    /**
     * Adds a rule behind the others; it counts from now on.
     *
     * @throws IllegalArgumentException if there is one of that name
     */
    public void add(Rule rule) {
        ledger.add(rule);
    }

    /** Removes a rule and keeps its counts; what it does to watches that are open goes on, but stale ones end. */
    public void remove(String rule) {
        ledger.remove(rule);
    }

    /** What came of each rule, in their order, and of those that were removed. */
    public Map<String, RuleCount> counts() {
        return ledger.counts();
    }

    /** How often the fault of a rule was really done; 0 for a rule that never was. */
    public long happened(String rule) {
        return Optional.ofNullable(counts().get(rule)).map(RuleCount::happened).orElse(0L);
    }

    /** The cluster can't be reached until {@link #restore}; returns when it is so. */
    public void blackout(Darkness darkness) {
        blackouts.begin(new Fault.Blackout(darkness, Optional.empty()));
    }

    /** Ends a blackout; returns when the cluster can be reached. */
    public void restore() {
        blackouts.end();
    }

    /** How many connections clients hold to this proxy. */
    public int connections() {
        return front.connections();
    }

    /** Stops at once; requests in flight are cut. */
    @Override
    public void close() {
        blackouts.close();
        front.close();
        handler.interruptAll();
        stale.close();
        client.close();
    }
}
