package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Secret;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What a definition comes to when it is used: address, certificates, and what to say to be let in. Making one may read
 * files and run the command that a kubeconfig names. Immutable; what it holds is never shown.
 */
public final class ApiCredentials {
    private final Config config;
    private final Optional<String> serverName;

    private ApiCredentials(Config config, Optional<String> serverName) {
        this.config = config;
        this.serverName = serverName.filter(name -> !name.isEmpty());
    }

    /** @throws StartupException if the definition cannot be used */
    public static ApiCredentials of(ClusterDefinition cluster) {
        try {
            return switch (cluster.access()) {
                case ClusterAccess.Ambient ambient -> ambient(ambient);
                case ClusterAccess.Kubeconfig kubeconfig -> kubeconfig(kubeconfig);
                case ClusterAccess.Direct direct -> direct(direct);
            };
        } catch (StartupException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StartupException(
                    ExitCode.ERROR, "cluster " + cluster.name() + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * As {@link #of}, and looks at the certificates too.
     *
     * @throws StartupException if the definition cannot be used
     */
    public static ApiCredentials proven(ClusterDefinition cluster) {
        ApiCredentials credentials = of(cluster);
        if (credentials.isEncrypted()) {
            credentials.requireCertificates();
            credentials.tlsParameters(credentials.tls());
        }
        return credentials;
    }

    private static ApiCredentials ambient(ClusterAccess.Ambient ambient) {
        Optional<Path> file = ambient.kubeconfig();
        if (file.isPresent() && !Files.isReadable(file.get())) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "cluster.kubeconfig names " + file.get() + ", which does not exist or is not readable");
        }
        String context = ambient.context().orElse(null);
        Config config =
                file.isPresent() ? Config.fromKubeconfig(context, file.get().toFile()) : Config.autoConfigure(context);
        File named = config.getFileWithAuthInfo();
        if (config.getCurrentContext() == null || named == null) {
            return new ApiCredentials(config, Optional.empty());
        }
        var inUse = config.getCurrentContext().getContext();
        io.fabric8.kubernetes.api.model.Config parsed = KubeConfigUtils.parseConfig(named);
        return new ApiCredentials(
                withTokenFile(config, user(parsed.getUsers(), inUse.getUser()), named.toPath()),
                server(parsed.getClusters(), inUse.getCluster()).map(Cluster::getTlsServerName));
    }

    private static ApiCredentials kubeconfig(ClusterAccess.Kubeconfig kubeconfig) {
        String text = kubeconfig.text().reveal();
        io.fabric8.kubernetes.api.model.Config parsed = KubeConfigUtils.parseConfigFromString(text);
        return new ApiCredentials(
                withTokenFile(
                        Config.fromKubeconfig(text),
                        Optional.ofNullable(parsed.getUsers().getFirst().getUser()),
                        kubeconfig.origin()),
                Optional.ofNullable(parsed.getClusters().getFirst().getCluster().getTlsServerName()));
    }

    private static ApiCredentials direct(ClusterAccess.Direct direct) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(direct.server().toString())
                .withTrustCerts(direct.insecure())
                .withOauthToken(direct.token().map(Secret::reveal).orElse(null))
                .withUsername(direct.user().orElse(null))
                .withPassword(direct.password().map(Secret::reveal).orElse(null))
                .withCaCertData(direct.authority().map(ApiCredentials::encoded).orElse(null))
                .withClientCertData(
                        direct.certificate().map(ApiCredentials::encoded).orElse(null))
                .withClientKeyData(
                        direct.key().map(key -> encoded(key.reveal())).orElse(null))
                .build();
        return new ApiCredentials(config, direct.serverName());
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }

    /** The client library passes over what is no certificate, and then trusts, or presents, none of ours. */
    private void requireCertificates() {
        requireCertificate("certificate authority", config.getCaCertData(), config.getCaCertFile());
        requireCertificate("client certificate", config.getClientCertData(), config.getClientCertFile());
    }

    private void requireCertificate(String what, @Nullable String data, @Nullable String file) {
        boolean hasData = data != null && !data.isEmpty();
        if (!hasData && (file == null || file.isEmpty())) {
            return;
        }
        try {
            byte[] pem = hasData ? Base64.getMimeDecoder().decode(data) : Files.readAllBytes(Path.of(file));
            if (CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .isEmpty()) {
                throw new CertificateException("it is empty");
            }
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw unusable(what, e);
        }
    }

    /** Whether the server is reached by TLS. */
    public boolean isEncrypted() {
        return "https".equals(server().getScheme());
    }

    /** The API server's address, ending in a slash. */
    public URI server() {
        String url = config.getMasterUrl();
        return URI.create(url.endsWith("/") ? url : url + "/");
    }

    /**
     * Value of the header Authorization; empty if a client certificate, or nothing, stands for us.
     *
     * @throws IOException if the file of a token cannot be read
     */
    public Optional<String> authorization() throws IOException {
        Optional<String> token = token();
        if (token.isPresent()) {
            return Optional.of("Bearer " + token.get().strip());
        }
        String user = config.getUsername();
        if (user == null || user.isEmpty()) {
            return Optional.empty();
        }
        String pair = user + ":" + Optional.ofNullable(config.getPassword()).orElse("");
        return Optional.of("Basic " + encoded(pair));
    }

    /**
     * Certificates to trust and to present.
     *
     * @throws StartupException if they cannot be used
     */
    public SSLContext tls() {
        return SSLUtils.sslContext(presented(), trusted());
    }

    /**
     * Lets a client speak to the server: by TLS and HTTP/2, or plainly by HTTP/1.1.
     *
     * @throws StartupException if they cannot be used
     */
    public HttpClient.Builder prepare(HttpClient.Builder client) {
        if (!isEncrypted()) {
            return client.version(HttpClient.Version.HTTP_1_1); // API servers know no upgrade to the second
        }
        SSLContext tls = tls();
        return client.version(HttpClient.Version.HTTP_2).sslContext(tls).sslParameters(tlsParameters(tls));
    }

    private SSLParameters tlsParameters(SSLContext tls) {
        SSLParameters parameters =
                tls.getDefaultSSLParameters(); // without its protocols the JDK's client forgoes HTTP/2
        try {
            serverName.ifPresent(name -> parameters.setServerNames(List.of(new SNIHostName(name))));
        } catch (IllegalArgumentException e) {
            throw unusable("server name", e);
        }
        return parameters;
    }

    /** Certificates to present; see {@link #tls}. */
    public KeyManager[] presented() {
        try {
            return SSLUtils.keyManagers(config);
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            throw unusable("client certificate", e);
        }
    }

    /** Certificates to trust; see {@link #tls}. */
    public TrustManager[] trusted() {
        try {
            if (config.isTrustCerts()) {
                return new TrustManager[] {new TrustEverything()};
            }
            TrustManager[] managers = SSLUtils.trustManagers(config);
            return serverName.isEmpty() ? managers : new TrustManager[] {TrustedName.in(managers, serverName.get())};
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            throw unusable("certificate authority", e);
        }
    }

    /** For a client of the library that these were read with; it retries nothing on its own. */
    public Config config() {
        return new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
    }

    private StartupException unusable(String what, Exception cause) {
        return new StartupException(
                ExitCode.ERROR, "the " + what + " for " + server() + " cannot be used: " + cause.getMessage(), cause);
    }

    private Optional<String> token() throws IOException {
        try {
            if (config.getOauthTokenProvider() != null) {
                return Optional.ofNullable(config.getOauthTokenProvider().getToken());
            }
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
        return Optional.ofNullable(config.getOauthToken())
                .or(() -> Optional.ofNullable(config.getAutoOAuthToken()))
                .filter(token -> !token.isEmpty());
    }

    /** The client library reads a user's {@code token} but not its {@code tokenFile}. */
    private static Config withTokenFile(Config config, Optional<AuthInfo> user, Path kubeconfig) {
        Optional<Path> file = user.filter(
                        info -> info.getToken() == null || info.getToken().isEmpty())
                .map(AuthInfo::getTokenFile)
                .filter(name -> !name.isEmpty())
                .map(kubeconfig::resolveSibling);
        return file.isEmpty()
                ? config
                : new ConfigBuilder(config)
                        .withOauthTokenProvider(() -> content(file.get()))
                        .build();
    }

    /** Read anew for each request, because such files are rotated; the page cache makes it cheap. */
    private static String content(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("token file " + file + " cannot be read: " + e, e);
        }
    }

    private static Optional<AuthInfo> user(List<NamedAuthInfo> users, String name) {
        return users.stream()
                .filter(named -> named.getName().equals(name))
                .findFirst()
                .map(NamedAuthInfo::getUser);
    }

    private static Optional<Cluster> server(List<NamedCluster> clusters, String name) {
        return clusters.stream()
                .filter(named -> named.getName().equals(name))
                .findFirst()
                .map(NamedCluster::getCluster);
    }
}
