package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.settings.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** How to reach and convince one API server; exactly one of these. What is secret in it is not shown by {@code toString}. */
public sealed interface ClusterAccess {
    /**
     * What kubectl would use, read anew each time that it is needed.
     *
     * @param kubeconfig absent for {@code $KUBECONFIG}, {@code ~/.kube/config} or the pod's own account
     * @param context absent for the current one
     */
    record Ambient(Optional<Path> kubeconfig, Optional<String> context) implements ClusterAccess {}

    /**
     * One context of a kubeconfig, as it stood in the file.
     *
     * @param origin the file, for people
     * @param text a kubeconfig with this context alone, its paths absolute
     * @param fingerprint of the certificates that it names; another one once they were exchanged
     */
    record Kubeconfig(Path origin, Secret text, String fingerprint) implements ClusterAccess {}

    /**
     * What the Secret of a cluster says.
     *
     * @param server address, http or https
     * @param token for the header Authorization
     * @param user for basic authentication
     * @param password of the user
     * @param authority certificates to trust, PEM; absent for those that the JVM knows
     * @param certificate to present, PEM
     * @param key of the certificate, PEM
     * @param insecure whether any certificate of the server will do
     * @param serverName name that the server's certificate must have; absent for the host of the address
     */
    record Direct(
            URI server,
            Optional<Secret> token,
            Optional<String> user,
            Optional<Secret> password,
            Optional<String> authority,
            Optional<String> certificate,
            Optional<Secret> key,
            boolean insecure,
            Optional<String> serverName)
            implements ClusterAccess {}
}
