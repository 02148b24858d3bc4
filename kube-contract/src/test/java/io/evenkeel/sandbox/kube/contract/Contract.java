package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What every case has: a server, and a namespace that no other case uses. */
interface Contract {
    AtomicInteger COUNTER = new AtomicInteger();
    String GROUP = "test.evenkeel.io";
    String NAMESPACES = "/api/v1/namespaces";

    ApiClient api();

    /** Makes a namespace for one case. */
    default String namespace() {
        String name = "case-" + COUNTER.incrementAndGet();
        Reply reply =
                api().post(NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" + name + "'}}");
        assertThat(reply.code()).as(reply.message()).isEqualTo(201);
        return name;
    }

    static String configMaps(String namespace) {
        return NAMESPACES + "/" + namespace + "/configmaps";
    }

    static String leases(String namespace) {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    static String deployments(String namespace) {
        return "/apis/apps/v1/namespaces/" + namespace + "/deployments";
    }

    static String services(String namespace) {
        return NAMESPACES + "/" + namespace + "/services";
    }

    static String widgets(String namespace) {
        return "/apis/" + GROUP + "/v1/namespaces/" + namespace + "/widgets";
    }

    /** A config map; {@code rest} adds fields to its metadata, for example {@code ,'labels':{'a':'b'}}. */
    static String configMap(String name, String rest) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" + name + "'" + rest + "},'data':{'k':'v'}}";
    }

    static String configMap(String name) {
        return configMap(name, "");
    }

    static String lease(String name, String rest) {
        return "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'" + name + "'" + rest
                + "},'spec':{'holderIdentity':'me'}}";
    }

    static String lease(String name) {
        return lease(name, "");
    }

    static String widget(String name, String spec) {
        return "{'apiVersion':'" + GROUP + "/v1','kind':'Widget','metadata':{'name':'" + name + "'},'spec':{" + spec
                + "}}";
    }

    static String deployment(String name, int replicas) {
        return "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" + name + "','labels':{'app':'" + name
                + "'}},'spec':{'replicas':" + replicas + ",'selector':{'matchLabels':{'app':'" + name
                + "'}},'template':{'metadata':{'labels':{'app':'" + name
                + "'}},'spec':{'containers':[{'name':'main','image':'nginx:1.25'}]}}}}";
    }

    /** Creates an object that the case needs, and fails the case where that does not work. */
    default Reply created(String path, String body) {
        Reply reply = api().post(path, body);
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
        return reply;
    }

    /** The names of the columns of a collection's table. */
    default List<String> columns(String path) {
        return api().get(path, "application/json;as=Table;v=v1;g=meta.k8s.io")
                .body()
                .path("columnDefinitions")
                .valueStream()
                .map(column -> Json.text(column, "name"))
                .toList();
    }

    static Reply ok(Reply reply) {
        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(200);
        return reply;
    }
}
