package io.evenkeel.sandbox.fault.upstream;

/** A kubeconfig that the proxy can't use; the message names the file, the place and what would do. */
public final class KubeconfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    KubeconfigException(String message) {
        super(message);
    }

    KubeconfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
