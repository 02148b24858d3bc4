package io.evenkeel.sandbox.fault.front;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate for this machine's loopback addresses, signed by itself; its key never leaves the process. */
public final class LoopbackCertificate {
    private static final char[] NO_PASSWORD = new char[0];
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);
    private static final Duration VALID = Duration.ofDays(365);

    private final KeyPair keys;
    private final X509Certificate certificate;

    private LoopbackCertificate(KeyPair keys, X509Certificate certificate) {
        this.keys = keys;
        this.certificate = certificate;
    }

    /** A new key and its certificate, valid for a year from {@code now}. */
    public static LoopbackCertificate create(Instant now) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            X500Name name = new X500Name("CN=evenkeel-sandbox");
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(120, new SecureRandom()),
                    Date.from(now.minus(CLOCKS_DIFFER)),
                    Date.from(now.plus(VALID)),
                    name,
                    keys.getPublic());
            GeneralName[] reachedAs = {
                new GeneralName(GeneralName.dNSName, "localhost"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.iPAddress, "::1")
            };
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(reachedAs));
            // clients written in Go take a certificate as an authority only if it says that it is one
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
            return new LoopbackCertificate(keys, certificate);
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("cannot make a certificate for loopback", e);
        }
    }

    /** The certificate, for those who shall trust it. */
    public String pem() {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(certificate);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write into memory", e);
        }
        return text.toString();
    }

    /** Certificate and key, for a server; its password is empty. */
    public KeyStore keyStore() {
        try {
            // PKCS12 protects keys by computing for a tenth of a second, which memory does not need.
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, null);
            store.setKeyEntry("server", keys.getPrivate(), NO_PASSWORD, new Certificate[] {certificate});
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot keep a key in memory", e);
        }
    }
}
