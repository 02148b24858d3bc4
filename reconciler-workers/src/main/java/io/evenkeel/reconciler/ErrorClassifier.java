package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Tells what an error means. Must be thread-safe, and must not throw. */
@FunctionalInterface
public interface ErrorClassifier {
    /** What the error means; empty if this classifier does not know it. */
    Optional<ErrorClass> classify(Throwable error);

    /** This one, and where it does not know an error, the other. */
    default ErrorClassifier or(ErrorClassifier other) {
        return error -> classify(error).or(() -> other.classify(error));
    }

    /**
     * By the answer of the API server, found anywhere in the chain of causes: 400, 405, 406, 413, 415 and 422 are terminal,
     * 409 is a conflict, 429 and whatever says when to come back are throttled, no answer is unreachable. Everything else
     * is transient, also 401, 403 and 404, because rights and kinds come and go without a change of the object.
     */
    static ErrorClassifier standard() {
        return error ->
                Optional.of(answered(error).map(ErrorClassifier::byAnswer).orElse(ErrorClass.TRANSIENT));
    }

    /** The refusal or silence of an API server in a chain of causes. */
    static Optional<KubernetesClientException> answered(Throwable error) {
        Throwable current = error;
        for (int depth = 0; current != null && depth < 32; depth++) { // a chain may be a ring
            if (current instanceof KubernetesClientException answer) {
                return Optional.of(answer);
            }
            current = current.getCause();
        }
        return Optional.empty();
    }

    private static ErrorClass byAnswer(KubernetesClientException answer) {
        int lowestStatus = 100;
        final int unprocessable = 422;
        int tooMany = 429;
        int code = answer.getCode();
        if (code < lowestStatus) {
            return ErrorClass.UNREACHABLE; // the library's codes for no answer are 0 and -1
        }
        if (code == tooMany || retryAfterSeconds(answer) > 0) {
            return ErrorClass.THROTTLED;
        }
        return switch (code) {
            case HttpURLConnection.HTTP_CONFLICT -> ErrorClass.CONFLICT;
            case HttpURLConnection.HTTP_BAD_REQUEST,
                    HttpURLConnection.HTTP_BAD_METHOD,
                    HttpURLConnection.HTTP_NOT_ACCEPTABLE,
                    HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
                    HttpURLConnection.HTTP_UNSUPPORTED_TYPE,
                    unprocessable -> ErrorClass.TERMINAL;
            default -> ErrorClass.TRANSIENT;
        };
    }

    /** When the server wants to be asked again, in seconds; 0 if it does not say. */
    static int retryAfterSeconds(KubernetesClientException answer) {
        return Optional.ofNullable(answer.getStatus())
                .map(ErrorClassifier::retryAfterSeconds)
                .orElse(0);
    }

    /** As {@link #retryAfterSeconds(KubernetesClientException)}, of the server's answer itself. */
    static int retryAfterSeconds(Status status) {
        return Optional.ofNullable(status.getDetails())
                .map(StatusDetails::getRetryAfterSeconds)
                .filter(seconds -> seconds > 0)
                .orElse(0);
    }
}
