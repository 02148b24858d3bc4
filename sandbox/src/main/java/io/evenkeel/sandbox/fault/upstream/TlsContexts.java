package io.evenkeel.sandbox.fault.upstream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/** TLS towards the server as a kubeconfig describes it. */
final class TlsContexts {
    private static final char[] NO_PASSWORD = new char[0];

    private TlsContexts() {}

    /** @throws IllegalArgumentException if a certificate or key can't be read */
    static SSLContext of(Upstream upstream) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(upstream.identity()), trustManagers(upstream.trust()), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "certificates for " + upstream.server() + " can't be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trustManagers(Upstream.Trust trust)
            throws GeneralSecurityException, IOException {
        return switch (trust) {
            case Upstream.Trust.KnownToJvm jvm -> null; // null: the JVM's own
            case Upstream.Trust.Anyone anyone -> new TrustManager[] {new TrustAnyone()};
            case Upstream.Trust.Authority authority -> {
                KeyStore trusted = emptyStore();
                int count = 0;
                for (Certificate certificate : certificates(authority.pem())) {
                    trusted.setCertificateEntry("authority-" + count++, certificate);
                }
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(trusted);
                yield factory.getTrustManagers();
            }
        };
    }

    private static KeyManager @Nullable [] keyManagers(Optional<ClientIdentity> identity)
            throws GeneralSecurityException, IOException {
        if (identity.isEmpty()) {
            return null; // null: no certificate is shown
        }
        KeyStore store = emptyStore();
        Certificate[] chain = certificates(identity.get().certificatePem()).toArray(Certificate[]::new);
        store.setKeyEntry("client", privateKey(identity.get().keyPem()), NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(String pem) throws CertificateException {
        Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        if (found.isEmpty()) {
            throw new CertificateException("there is no certificate");
        }
        return found;
    }

    /** Of any of the three ways in which tools around Kubernetes write a key. */
    private static PrivateKey privateKey(String pem) throws IOException {
        JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                if (part instanceof PEMKeyPair pair) {
                    return converter.getPrivateKey(pair.getPrivateKeyInfo());
                }
                if (part instanceof PrivateKeyInfo key) {
                    return converter.getPrivateKey(key);
                }
            }
        }
        throw new IOException("there is no private key that is not encrypted");
    }

    /** The extended kind, because with it the JDK does not compare the host's name either. */
    private static final class TrustAnyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
