package io.evenkeel.cli.bench.tls;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** TLS as a client's configuration describes it, for connections that are not the client's own. */
public final class Tls {
    private Tls() {}

    /** @throws IllegalStateException if the certificates cannot be used */
    public static SSLContext of(Config config) {
        try {
            return SSLUtils.sslContext(config);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificates of " + config.getMasterUrl() + " cannot be used", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
