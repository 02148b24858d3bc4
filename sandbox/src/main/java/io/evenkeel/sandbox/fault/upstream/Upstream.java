package io.evenkeel.sandbox.fault.upstream;

import java.net.URI;
import java.util.Optional;

/**
 * The server behind the proxy.
 *
 * @param cluster what rules call it
 * @param server its address; a path in it stands before that of every request
 * @param trust what its certificate must be signed by
 * @param identity with which certificate the proxy shows itself, on behalf of all its clients
 */
public record Upstream(String cluster, URI server, Trust trust, Optional<ClientIdentity> identity) {

    /** Which servers are believed. */
    public sealed interface Trust {
        /** Those whose certificate is signed by an authority that the JVM knows. */
        record KnownToJvm() implements Trust {}

        /**
         * Those whose certificate is signed by one of these.
         *
         * @param pem certificates
         */
        record Authority(String pem) implements Trust {}

        /** Every one; for a kubeconfig that says so. */
        record Anyone() implements Trust {}
    }

    /** Checks that it is an address of a web server. */
    public Upstream {
        boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
        if (!web || server.getHost() == null) {
            throw new IllegalArgumentException("server must be http://… or https://… but is " + server);
        }
    }

    /** A server at an address, called "local". */
    public static Upstream at(URI server) {
        return new Upstream("local", server, new Trust.KnownToJvm(), Optional.empty());
    }

    /** The same server under another name. */
    public Upstream named(String newCluster) {
        return new Upstream(newCluster, server, trust, identity);
    }

    /** The same server, believed if one of these certificates signed its own. */
    public Upstream trusting(String pem) {
        return new Upstream(cluster, server, new Trust.Authority(pem), identity);
    }

    /** The same server, which knows the proxy by its certificate. */
    public Upstream as(ClientIdentity newIdentity) {
        return new Upstream(cluster, server, trust, Optional.of(newIdentity));
    }
}
