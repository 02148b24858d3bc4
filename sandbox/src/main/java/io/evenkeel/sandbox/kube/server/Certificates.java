package io.evenkeel.sandbox.kube.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority of its own and a certificate for this machine's loopback names, made anew or kept in a
 * folder. For development and tests only: the key store's password is no secret.
 */
public final class Certificates {
    public static final String PASSWORD = "kubesim";
    private static final String ALIAS = "server";
    private static final Duration VALIDITY = Duration.ofDays(3650);

    private final KeyStore store;

    private Certificates(KeyStore store) {
        this.store = store;
    }

    /** Reads the certificates from {@code folder}, or makes them and keeps them there if a folder is given. */
    public static Certificates load(Optional<Path> folder) throws IOException {
        try {
            if (folder.isEmpty()) {
                return new Certificates(create("JKS")); // PKCS12 protects keys at a price that memory need not pay
            }
            Path file = folder.get().resolve("tls.p12");
            if (Files.exists(file)) {
                KeyStore store = KeyStore.getInstance("PKCS12");
                try (InputStream in = Files.newInputStream(file)) {
                    store.load(in, PASSWORD.toCharArray());
                }
                return new Certificates(store);
            }
            KeyStore store = create("PKCS12");
            try (OutputStream out = Files.newOutputStream(file)) {
                store.store(out, PASSWORD.toCharArray());
            }
            return new Certificates(store);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("cannot make certificates", e);
        }
    }

    private static KeyStore create(String storeType)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        KeyPair authority = keys();
        KeyPair server = keys();
        X500Name authorityName = new X500Name("CN=kubesim-ca");
        X509Certificate root = sign(
                builder(authorityName, authorityName, authority)
                        .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                        .addExtension(
                                Extension.keyUsage,
                                true,
                                new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature)),
                authority.getPrivate());
        GeneralNames names = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.dNSName, "kubernetes"),
            new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, "::1")
        });
        X509Certificate leaf = sign(
                builder(authorityName, new X500Name("CN=kubesim"), server)
                        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                        .addExtension(Extension.subjectAlternativeName, false, names),
                authority.getPrivate());
        KeyStore store = KeyStore.getInstance(storeType);
        store.load(null, PASSWORD.toCharArray());
        store.setKeyEntry(ALIAS, server.getPrivate(), PASSWORD.toCharArray(), new Certificate[] {leaf, root});
        return store;
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static JcaX509v3CertificateBuilder builder(X500Name issuer, X500Name subject, KeyPair keys) {
        Instant start = Instant.now().minus(Duration.ofDays(1));
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(64, new SecureRandom()),
                Date.from(start),
                Date.from(start.plus(VALIDITY)),
                subject,
                keys.getPublic());
    }

    private static X509Certificate sign(org.bouncycastle.cert.X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
    }

    public KeyStore keyStore() {
        return store;
    }

    /** The authority's certificate in PEM, which clients need in order to trust the server. */
    public String authorityPem() {
        try {
            Certificate[] chain = store.getCertificateChain(ALIAS);
            ByteArrayOutputStream pem = new ByteArrayOutputStream();
            pem.writeBytes("-----BEGIN CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII));
            pem.writeBytes(Base64.getMimeEncoder(64, new byte[] {'\n'}).encode(chain[chain.length - 1].getEncoded()));
            pem.writeBytes("\n-----END CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII));
            return pem.toString(StandardCharsets.US_ASCII);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key store was loaded before", e);
        }
    }
}
