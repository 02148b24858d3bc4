package io.evenkeel.sandbox.fault.upstream;

/**
 * A certificate and its key; not shown by {@code toString}.
 *
 * @param certificatePem the certificate, with those between it and the authority, if any
 * @param keyPem the private key, not encrypted
 */
public record ClientIdentity(String certificatePem, String keyPem) {
    @Override
    public String toString() {
        return "ClientIdentity[hidden]";
    }
}
