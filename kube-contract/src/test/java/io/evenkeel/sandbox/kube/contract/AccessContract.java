package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who may do what. */
interface AccessContract extends Contract {
    String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    String MAY_LIST_PODS = "{'apiVersion':'authorization.k8s.io/v1','kind':'SelfSubjectAccessReview','spec':"
            + "{'resourceAttributes':{'verb':'list','resource':'pods','namespace':'default'}}}";

    @Test
    default void givenNoRights_whenACollectionIsListed_thenForbidden() {
        Reply reply = api().getImpersonating(leases("default"), "nobody");

        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.reason()).isEqualTo("Forbidden");
        assertThat(reply.message())
                .isEqualTo("leases.coordination.k8s.io is forbidden: User \"nobody\" cannot list resource \"leases\" in"
                        + " API group \"coordination.k8s.io\" in the namespace \"default\"");
        assertThat(reply.text("details", "kind")).isEqualTo("leases");
        assertThat(reply.text("details", "group")).isEqualTo("coordination.k8s.io");
    }

    @Test
    default void givenNoRights_whenAnObjectIsRead_thenForbiddenWhetherItExistsOrNot() {
        Reply reply = api().getImpersonating(leases("default") + "/none", "nobody");

        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.message()).startsWith("leases.coordination.k8s.io \"none\" is forbidden: User \"nobody\"");
    }

    @Test
    default void givenNoRights_whenAllNamespacesAreWatched_thenForbiddenAtTheClusterScope() {
        Reply reply = api().getImpersonating("/apis/coordination.k8s.io/v1/leases?watch=1", "nobody");

        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.message())
                .endsWith("cannot watch resource \"leases\" in API group \"coordination.k8s.io\" at the cluster scope");
    }

    @Test
    default void givenAnAdministrator_whenAskedForAccess_thenAllowed() {
        Reply review = api().post(REVIEWS, MAY_LIST_PODS);

        assertThat(review.code()).isEqualTo(201);
        assertThat(review.at("/status/allowed").booleanValue()).isTrue();
        assertThat(review.at("/spec/resourceAttributes/verb").stringValue()).isEqualTo("list");
    }

    @Test
    default void givenNoRights_whenAskedForAccess_thenNotAllowedAndNotForbidden() {
        Reply review = api().postImpersonating(REVIEWS, "nobody", MAY_LIST_PODS);
        Reply self = api().postImpersonating(
                        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        "nobody",
                        "{'apiVersion':'authentication.k8s.io/v1','kind':'SelfSubjectReview'}");

        assertThat(review.code()).as("%s", review.body()).isEqualTo(201);
        assertThat(review.at("/status/allowed").isBoolean()).isTrue();
        assertThat(review.at("/status/allowed").booleanValue()).isFalse();
        assertThat(self.at("/status/userInfo/username").stringValue()).isEqualTo("nobody");
        assertThat(api().getImpersonating("/apis", "nobody").code()).isEqualTo(200);
    }

    /** A token that may do everything, and that ends within a minute or so. */
    String passingToken();

    @Test
    @Waits
    default void givenAnOpenWatch_whenItsTokenEnds_thenItGoesOnAndTheNextRequestIsUnauthorized() {
        String ns = namespace();
        String token = passingToken();
        assertThat(api().getAs(leases(ns), token).code()).isEqualTo(200);
        try (var watch = api().watchAs(leases(ns) + "?watch=1", token)) {
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> api().getAs(leases(ns), token).code() == 401);

            created(leases(ns), lease("a"));

            assertThat(watch.nextLine()).isEqualTo("ADDED a");
            assertThat(api().getAs(leases(ns) + "?watch=1", token).reason()).isEqualTo("Unauthorized");
        }
    }

    @Test
    default void givenNoToken_whenAsked_thenOnlyWhetherTheServerIsWell() {
        assertThat(api().getAnonymously("/readyz").code()).isEqualTo(200);
        assertThat(api().getAnonymously("/version").code()).isEqualTo(200);

        Reply list = api().getAnonymously(leases("default"));
        Reply groups = api().getAnonymously("/apis");

        assertThat(list.code()).isEqualTo(403);
        assertThat(list.message()).contains("User \"system:anonymous\" cannot list resource \"leases\"");
        assertThat(groups.code()).isEqualTo(403);
        assertThat(groups.message()).isEqualTo("forbidden: User \"system:anonymous\" cannot get path \"/apis\"");
    }
}
