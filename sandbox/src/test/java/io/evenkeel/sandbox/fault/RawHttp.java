package io.evenkeel.sandbox.fault;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** HTTP/1.1 by hand, for what a decent client does not send. */
final class RawHttp {
    private RawHttp() {}

    /** What comes back first. */
    static String exchange(FaultProxy proxy, String request) throws IOException {
        try (SSLSocket socket = (SSLSocket) trusting(proxy.certificatePem())
                .getSocketFactory()
                .createSocket("127.0.0.1", proxy.url().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] buffer = new byte[4096];
            StringBuilder answer = new StringBuilder();
            while (!answer.toString().contains("\r\n\r\n") || answer.toString().endsWith("\r\n\r\n")) {
                int length = socket.getInputStream().read(buffer);
                if (length < 0) {
                    break;
                }
                answer.append(new String(buffer, 0, length, StandardCharsets.UTF_8));
            }
            return answer.toString();
        }
    }

    static SSLContext trusting(String pem) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "proxy",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
