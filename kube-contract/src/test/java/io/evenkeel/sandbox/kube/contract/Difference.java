package io.evenkeel.sandbox.kube.contract;

import static io.evenkeel.sandbox.kube.contract.Contract.configMaps;
import static io.evenkeel.sandbox.kube.contract.Contract.deployment;
import static io.evenkeel.sandbox.kube.contract.Contract.deployments;
import static io.evenkeel.sandbox.kube.contract.Contract.lease;
import static io.evenkeel.sandbox.kube.contract.Contract.leases;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.json.Json;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What is known to differ between the simulated and a real server: one case each, and what each server shows. */
enum Difference {
    ABSENT_RESOURCES("all", "none") {
        @Override
        String observe(Contract contract) {
            Set<String> leftOut = DiscoveryContract.leftOut();
            Set<String> served = new TreeSet<>(DiscoveryContract.resources(contract.api()));
            served.retainAll(leftOut);
            return served.isEmpty() ? "none" : served.equals(leftOut) ? "all" : served.toString();
        }
    },
    ADMISSION_WEBHOOKS("200", "404") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/apis/admissionregistration.k8s.io/v1");
        }
    },
    API_AGGREGATION("200", "404") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/apis/apiregistration.k8s.io/v1");
        }
    },
    AUTOSCALING_V1("200", "404") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/apis/autoscaling/v1");
        }
    },
    BOOKMARK_SHAPE("metadata, spec, status", "metadata") {
        @Override
        String observe(Contract contract) {
            String path = deployments(contract.namespace())
                    + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                    + "&timeoutSeconds=20";
            try (ApiClient.Frames watch = contract.api().watch(path)) {
                return watch.next().path("object").properties().stream()
                        .map(java.util.Map.Entry::getKey)
                        .filter(field -> !List.of("kind", "apiVersion").contains(field))
                        .sorted()
                        .collect(Collectors.joining(", "));
            }
        }
    },
    CEL_RULES("422", "201") {
        @Override
        String observe(Contract contract) {
            String plural = "rules";
            String rule = DefinitionContract.version("v1", true, "'size':{'type':'integer'}")
                    .replace(
                            "'spec':{'type':'object',",
                            "'spec':{'type':'object','x-kubernetes-validations':[{'rule':'self.size > 3'}],");
            ApiClient api = contract.api();
            assertThat(api.post(DefinitionContract.DEFINITIONS, DefinitionContract.gadgets(plural, rule))
                            .code())
                    .isEqualTo(201);
            DefinitionContract.awaitEstablished(api, plural + "." + Contract.GROUP);
            String path = "/apis/" + Contract.GROUP + "/v1/" + plural;
            await().atMost(Duration.ofSeconds(20)).until(() -> api.get(path).code() == 200);
            try {
                return Integer.toString(api.post(path, DefinitionContract.gadget(plural, "v1", "a", "'size':1"))
                        .code());
            } finally {
                api.delete(DefinitionContract.DEFINITIONS + "/" + plural + "." + Contract.GROUP);
            }
        }
    },
    DEFINITION_CHECKS("422", "201") {
        @Override
        String observe(Contract contract) {
            String version = DefinitionContract.version("v1", true, "'a':{'type':'string'}");
            return Integer.toString(contract.api()
                    .post(
                            DefinitionContract.DEFINITIONS + "?dryRun=All",
                            DefinitionContract.gadgets(
                                    "flutes",
                                    version.replace(
                                            "'served':true",
                                            "'served':true,'selectableFields':[{'jsonPath':'.spec.none'}]")))
                    .code());
        }
    },
    EXPLAIN_DESCRIPTIONS("described", "not described") {
        @Override
        String observe(Contract contract) {
            JsonNode document = contract.api().get("/openapi/v3/apis/apps/v1").body();
            return document.at("/components/schemas/io.k8s.api.apps.v1.DeploymentSpec")
                            .has("description")
                    ? "described"
                    : "not described";
        }
    },
    LAST_APPLIED("rewritten", "kept") {
        @Override
        String observe(Contract contract) {
            String maps = configMaps(contract.namespace());
            String annotation = "kubectl.kubernetes.io/last-applied-configuration";
            contract.created(
                    maps + "?fieldManager=kubectl-client-side-apply",
                    Contract.configMap("a", ",'annotations':{'" + annotation + "':'{}'}"));
            Reply applied = Contract.ok(
                    contract.api().apply(maps + "/a?fieldManager=kubectl&force=true", Contract.configMap("a")));
            return applied.text("metadata", "annotations", annotation).trim().equals("{}") ? "kept" : "rewritten";
        }
    },
    LOGS_AND_EXEC("404", "501") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/api/v1/namespaces/default/pods/nobody/log");
        }
    },
    NAME_CONFLICTS("False", "True") {
        @Override
        String observe(Contract contract) {
            String name = "appliances." + Contract.GROUP;
            String definition = DefinitionContract.gadgets(
                            "appliances", DefinitionContract.version("v1", true, "'a':{'type':'string'}"))
                    .replace("'kind':'Appliance'", "'kind':'Widget'");
            contract.created(DefinitionContract.DEFINITIONS, definition);
            String path = DefinitionContract.DEFINITIONS + "/" + name;
            try {
                await(name)
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> !accepted(contract, path).isEmpty());
                return accepted(contract, path);
            } finally {
                contract.api().delete(path);
            }
        }

        private String accepted(Contract contract, String path) {
            return contract.api()
                    .get(path)
                    .at("/status/conditions")
                    .valueStream()
                    .filter(condition -> Json.text(condition, "type").equals("NamesAccepted"))
                    .map(condition -> Json.text(condition, "status"))
                    .findFirst()
                    .orElse("");
        }
    },
    OPENAPI_V2("200", "404") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/openapi/v2");
        }
    },
    PRIORITY_AND_FAIRNESS("200", "404") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/apis/flowcontrol.apiserver.k8s.io/v1");
        }
    },
    PROTOBUF_ANSWERS("200", "406") {
        @Override
        String observe(Contract contract) {
            return Integer.toString(contract.api()
                    .get("/api/v1/namespaces/default", "application/vnd.kubernetes.protobuf")
                    .code());
        }
    },
    REPEATED_CAUSES("2", "1") {
        @Override
        String observe(Contract contract) {
            String leases = leases(contract.namespace());
            contract.created(leases, lease("a", ",'finalizers':['x/y']"));
            Contract.ok(contract.api().delete(leases + "/a"));
            return Integer.toString(contract.api()
                    .merge(leases + "/a", "{'metadata':{'finalizers':['x/y','x/z']}}")
                    .causes()
                    .size());
        }
    },
    ROLES("200", "403") {
        @Override
        String observe(Contract contract) {
            String namespace = contract.namespace();
            String user = "reader-of-" + namespace;
            String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace;
            contract.created(
                    rbac + "/roles",
                    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','metadata':{'name':'r'},'rules':"
                            + "[{'apiGroups':[''],'resources':['configmaps'],'verbs':['list']}]}");
            contract.created(
                    rbac + "/rolebindings",
                    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':'b'},"
                            + "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'Role','name':'r'},'subjects':"
                            + "[{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'" + user + "'}]}");
            int code = 0;
            // A real server learns of a binding through its own watch.
            for (long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
                    code != 200 && System.nanoTime() < end; ) {
                code = contract.api()
                        .getImpersonating(configMaps(namespace), user)
                        .code();
            }
            return Integer.toString(code);
        }
    },
    ROLLING_UPDATE("in steps", "at once") {
        @Override
        String observe(Contract contract) {
            String namespace = contract.namespace();
            ApiClient api = contract.api();
            String web = deployments(namespace) + "/web";
            contract.created(deployments(namespace), deployment("web", 4));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> api.get(web).at("/status/readyReplicas").asInt(0) == 4);
            String sets = "/apis/apps/v1/namespaces/" + namespace + "/replicasets";
            Reply before = api.get(sets);
            String old = before.names().getFirst();
            Set<Long> sizes = new LinkedHashSet<>();
            try (ApiClient.Frames watch =
                    api.watch(sets + "?watch=1&timeoutSeconds=60&resourceVersion=" + before.version())) {
                Contract.ok(api.strategic(
                        web, "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'nginx:1.26'}]}}}}"));
                while (!sizes.contains(0L)) {
                    JsonNode set = watch.next().path("object");
                    if (Json.text(set, "metadata", "name").equals(old)) {
                        sizes.add(Json.number(set, -1, "spec", "replicas"));
                    }
                }
            }
            sizes.remove(4L);
            return sizes.size() > 1 ? "in steps" : "at once";
        }
    },
    SCALE_OWNERSHIP("2", "1") {
        @Override
        String observe(Contract contract) {
            String widgets = Contract.widgets(contract.namespace());
            contract.created(widgets, Contract.widget("a", "'replicas':1"));
            // nothing changes, and a real server takes the replicas out of the entry of whoever owned them
            Contract.ok(contract.api().merge(widgets + "/a/scale?fieldManager=other", "{'spec':{'replicas':1}}"));
            return Integer.toString(
                    Contract.ok(contract.api().get(widgets + "/a")).managers().size());
        }
    },
    SERVER_DOCUMENTS("200", "501") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/metrics");
        }
    },
    TABLE_COLUMNS(
            "clusterrolebindings 6, controllerrevisions 4, cronjobs 10, endpoints 3, "
                    + "endpointslices 5, events 10, ingressclasses 4, networkpolicies 3, nodes 10, "
                    + "persistentvolumeclaims 9, persistentvolumes 11, podtemplates 4, "
                    + "priorityclasses 5, replicationcontrollers 8, resourcequotas 4, rolebindings 6,"
                    + " storageclasses 6",
            "clusterrolebindings 3, controllerrevisions 2, cronjobs 7, endpoints 2, "
                    + "endpointslices 2, events 6, ingressclasses 2, networkpolicies 2, nodes 5, "
                    + "persistentvolumeclaims 7, persistentvolumes 2, podtemplates 2, priorityclasses"
                    + " 2, replicationcontrollers 2, resourcequotas 2, rolebindings 3, storageclasses"
                    + " 2") {
        @Override
        String observe(Contract contract) {
            return Stream.of(
                            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                            "/apis/apps/v1/controllerrevisions",
                            "/apis/batch/v1/cronjobs",
                            "/api/v1/endpoints",
                            "/apis/discovery.k8s.io/v1/endpointslices",
                            "/api/v1/events",
                            "/apis/networking.k8s.io/v1/ingressclasses",
                            "/apis/networking.k8s.io/v1/networkpolicies",
                            "/api/v1/nodes",
                            "/api/v1/persistentvolumeclaims",
                            "/api/v1/persistentvolumes",
                            "/api/v1/podtemplates",
                            "/apis/scheduling.k8s.io/v1/priorityclasses",
                            "/api/v1/replicationcontrollers",
                            "/api/v1/resourcequotas",
                            "/apis/rbac.authorization.k8s.io/v1/rolebindings",
                            "/apis/storage.k8s.io/v1/storageclasses")
                    .map(path -> path.substring(path.lastIndexOf('/') + 1) + " "
                            + contract.columns(path).size())
                    .collect(Collectors.joining(", "));
        }
    },
    WATCH_PATHS("200", "501") {
        @Override
        String observe(Contract contract) {
            return code(contract, "/api/v1/watch/namespaces/default?timeoutSeconds=1");
        }
    },
    WEBSOCKET_WATCHES("101", "200") {
        @Override
        String observe(Contract contract) {
            return Integer.toString(contract.api().webSocket("/api/v1/namespaces?watch=1"));
        }
    },
    YAML_ANSWERS("200", "406") {
        @Override
        String observe(Contract contract) {
            return Integer.toString(contract.api()
                    .get("/api/v1/namespaces/default", "application/yaml")
                    .code());
        }
    },
    ZERO_VALUES("absent", "0") {
        @Override
        String observe(Contract contract) {
            String deployments = deployments(contract.namespace());
            contract.created(deployments, deployment("a", 0));
            JsonNode replicas = Contract.ok(
                            contract.api().merge(deployments + "/a/status", "{'status':{'replicas':0}}"))
                    .at("/status/replicas");
            return replicas.isMissingNode() ? "absent" : replicas.toString();
        }
    };

    private final String onReal;
    private final String onSimulated;

    Difference(String onReal, String onSimulated) {
        this.onReal = onReal;
        this.onSimulated = onSimulated;
    }

    /** What a server shows where they differ. */
    abstract String observe(Contract contract);

    String expected(boolean real) {
        return real ? onReal : onSimulated;
    }

    /** As the design note calls it. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String code(Contract contract, String path) {
        return Integer.toString(contract.api().get(path).code());
    }
}
