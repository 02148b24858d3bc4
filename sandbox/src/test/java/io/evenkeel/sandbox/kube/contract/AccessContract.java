package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who may do what. */
interface AccessContract extends Contract {
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
        Reply review = api().post(
                        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                        "{'apiVersion':'authorization.k8s.io/v1','kind':'SelfSubjectAccessReview','spec':"
                                + "{'resourceAttributes':{'verb':'list','resource':'pods','namespace':'default'}}}");

        assertThat(review.code()).isEqualTo(201);
        assertThat(review.at("/status/allowed").booleanValue()).isTrue();
        assertThat(review.at("/spec/resourceAttributes/verb").stringValue()).isEqualTo("list");
    }
}
