package io.evenkeel.sandbox.fault.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeRequestTest {
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        // method, path and query,                           verb,  resource,      subresource, namespace, name
        "GET,    /api/v1/pods,                               list,  pods,             '', '', ''",
        "GET,    /api/v1/pods?watch=true,                    watch, pods,             '', '', ''",
        "GET,    /api/v1/pods?limit=1&watch=1,               watch, pods,             '', '', ''",
        "GET,    /api/v1/pods?watch=false,                   list,  pods,             '', '', ''",
        "GET,    /api/v1/namespaces/shop/pods/web,           get,   pods,             '', shop, web",
        "GET,    /api/v1/namespaces/shop/pods/web/log,       get,   pods,             log, shop, web",
        "HEAD,   /api/v1/namespaces/shop/pods,               list,  pods,             '', shop, ''",
        "POST,   /apis/apps/v1/namespaces/shop/deployments,  create, deployments.apps, '', shop, ''",
        "PUT,    /apis/apps/v1/namespaces/shop/deployments/web, update, deployments.apps, '', shop, web",
        "PATCH,  /apis/apps/v1/namespaces/shop/deployments/web/status, patch, deployments.apps, status, shop, web",
        "DELETE, /apis/apps/v1/namespaces/shop/deployments/web, delete, deployments.apps, '', shop, web",
        "DELETE, /apis/apps/v1/namespaces/shop/deployments,  deletecollection, deployments.apps, '', shop, ''",
        "GET,    /api/v1/namespaces,                         list,  namespaces,       '', '', ''",
        "GET,    /api/v1/namespaces/shop,                    get,   namespaces,       '', '', shop",
        "PUT,    /api/v1/namespaces/shop/finalize,           update, namespaces,      finalize, '', shop",
        "GET,    /apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode, get,"
                + " clusterroles.rbac.authorization.k8s.io, '', '', system:node",
        "GET,    /api/v1,                                    other, '',               '', '', ''",
        "GET,    /apis/apps/v1,                              other, '',               '', '', ''",
        "GET,    /openapi/v3/apis/apps/v1,                   other, '',               '', '', ''",
        "GET,    /readyz?verbose,                            other, '',               '', '', ''"
    })
    void givenARequestLine_whenRead_thenItIsWhatAnApiServerWouldSay(
            String method,
            String path,
            String verb,
            String resource,
            String subresource,
            String namespace,
            String name) {
        KubeRequest request = KubeRequest.of("eu-1", method, path);

        assertThat(request.verb().text()).isEqualTo(verb);
        assertThat(request.resource()).isEqualTo(resource);
        assertThat(request.subresource()).isEqualTo(subresource);
        assertThat(request.namespace()).isEqualTo(namespace);
        assertThat(request.name()).isEqualTo(name);
    }

    @Test
    void givenParameters_whenRead_thenTheyAreDecodedAndTheFirstCounts() {
        KubeRequest request = KubeRequest.of("eu-1", "GET", "/api/v1/pods?labelSelector=a%3Db%2Cc&x&x=2&bad=%zz");

        assertThat(request.query())
                .containsEntry("labelSelector", "a=b,c")
                .containsEntry("x", "")
                .containsEntry("bad", "%zz");
    }
}
