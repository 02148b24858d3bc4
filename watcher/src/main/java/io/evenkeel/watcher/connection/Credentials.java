package io.evenkeel.watcher.connection;

import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** What a kubeconfig, or a pod's own account, says about reaching and convincing one API server. Immutable. */
final class Credentials {
    private final Config config;
    private final Optional<Path> tokenFile;

    private Credentials(Config config) {
        this.config = config;
        this.tokenFile = tokenFile(config);
    }

    /** @throws StartupException if the kubeconfig cannot be read or lacks the context */
    static Credentials load(ClusterSettings cluster) {
        String context = cluster.context().orElse(null);
        try {
            if (cluster.kubeconfig().isEmpty()) {
                return new Credentials(Config.autoConfigure(context));
            }
            Path file = cluster.kubeconfig().get();
            if (!Files.isReadable(file)) {
                throw new StartupException(
                        ExitCode.ERROR,
                        "cluster.kubeconfig names " + file + ", which does not exist or is not readable");
            }
            return new Credentials(Config.fromKubeconfig(context, file.toFile()));
        } catch (RuntimeException e) {
            if (e instanceof StartupException) {
                throw e;
            }
            throw new StartupException(
                    ExitCode.ERROR,
                    "the kubeconfig of cluster " + cluster.name() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    /** The API server's address, ending in a slash. */
    URI server() {
        String url = config.getMasterUrl();
        return URI.create(url.endsWith("/") ? url : url + "/");
    }

    /** Value of the header Authorization; empty if a client certificate, or nothing, stands for us. */
    Optional<String> authorization() throws IOException {
        Optional<String> token = token();
        if (token.isPresent()) {
            return Optional.of("Bearer " + token.get().strip());
        }
        String user = config.getUsername();
        if (user == null || user.isEmpty()) {
            return Optional.empty();
        }
        String pair = user + ":" + Optional.ofNullable(config.getPassword()).orElse("");
        return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    /** Certificates to trust and to present. */
    SSLContext tls() {
        try {
            TrustManager[] trusted =
                    config.isTrustCerts() ? new TrustManager[] {new TrustEverything()} : SSLUtils.trustManagers(config);
            return SSLUtils.sslContext(SSLUtils.keyManagers(config), trusted);
        } catch (GeneralSecurityException | IOException e) {
            throw new StartupException(
                    ExitCode.ERROR, "the certificates of " + server() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private Optional<String> token() throws IOException {
        if (config.getOauthTokenProvider() != null) {
            return Optional.ofNullable(config.getOauthTokenProvider().getToken());
        }
        Optional<String> configured =
                Optional.ofNullable(config.getOauthToken()).or(() -> Optional.ofNullable(config.getAutoOAuthToken()));
        if (configured.filter(token -> !token.isEmpty()).isPresent()) {
            return configured;
        }
        // Read anew for each request, because such files are rotated; the page cache makes it cheap.
        return tokenFile.isPresent() ? Optional.of(Files.readString(tokenFile.get())) : Optional.empty();
    }

    /** The client library reads a user's {@code token} but not its {@code tokenFile}. */
    private static Optional<Path> tokenFile(Config config) {
        NamedContext context = config.getCurrentContext();
        File file = config.getFileWithAuthInfo();
        if (context == null || file == null) {
            return Optional.empty();
        }
        String user = context.getContext().getUser();
        return KubeConfigUtils.parseConfig(file).getUsers().stream()
                .filter(named -> named.getName().equals(user))
                .findFirst()
                .map(named -> Optional.ofNullable(named.getUser()).orElse(new AuthInfo()))
                .map(AuthInfo::getTokenFile)
                .filter(name -> !name.isEmpty())
                .map(name -> file.toPath().resolveSibling(name));
    }
}
