package io.evenkeel.runtime.cluster;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * For a server that is reached under another name than its certificate has ({@code tls-server-name}): the chain is checked
 * as ever, and the name against the certificate's alternative names (RFC 6125, a wildcard for one whole label at the left).
 */
final class TrustedName extends X509ExtendedTrustManager {
    private static final int DNS = 2;
    private static final int IP = 7;

    private final X509TrustManager chain;
    private final String name;

    private TrustedName(X509TrustManager chain, String name) {
        this.chain = chain;
        this.name = name.toLowerCase(Locale.ROOT);
    }

    static TrustedName in(TrustManager[] managers, String name) {
        return Stream.of(managers)
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .map(chain -> new TrustedName(chain, name))
                .orElseThrow(() -> new IllegalStateException("no trust manager for X.509 certificates"));
    }

    private void check(X509Certificate[] certificates, String authType) throws CertificateException {
        chain.checkServerTrusted(certificates, authType); // without a connection, so that the host is not looked at
        if (names(certificates[0]).noneMatch(this::matches)) {
            throw new CertificateException("the server's certificate is not for " + name);
        }
    }

    private static Stream<String> names(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        return alternatives == null
                ? Stream.empty()
                : alternatives.stream()
                        .filter(entry ->
                                entry.get(0).equals(DNS) || entry.get(0).equals(IP))
                        .map(entry -> String.valueOf(entry.get(1)).toLowerCase(Locale.ROOT));
    }

    private boolean matches(String pattern) {
        if (!pattern.startsWith("*.")) {
            return pattern.equals(name);
        }
        int dot = name.indexOf('.');
        return dot > 0 && name.substring(dot).equals(pattern.substring(1));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String authType, Socket socket)
            throws CertificateException {
        check(certificates, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String authType, SSLEngine engine)
            throws CertificateException {
        check(certificates, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String authType) throws CertificateException {
        check(certificates, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String authType, Socket socket)
            throws CertificateException {
        chain.checkClientTrusted(certificates, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String authType, SSLEngine engine)
            throws CertificateException {
        chain.checkClientTrusted(certificates, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String authType) throws CertificateException {
        chain.checkClientTrusted(certificates, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chain.getAcceptedIssuers();
    }
}
