#!/usr/bin/env python3
"""Refreshes the schemas and the resource lists of KubeSim from a running Kubernetes API without custom resources.

Usage: KUBECONFIG=... sandbox/tools/trim-openapi.py OUTPUT_FOLDER
Keeps structure (types, list types, merge keys, defaults, required fields) and drops every description.
"""
import json
import subprocess
import sys

WANTED = {
    "v1": "bindings configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims persistentvolumes "
          "pods replicationcontrollers resourcequotas secrets serviceaccounts services podtemplates",
    "apps/v1": "controllerrevisions daemonsets deployments replicasets statefulsets",
    "batch/v1": "cronjobs jobs",
    "coordination.k8s.io/v1": "leases",
    "rbac.authorization.k8s.io/v1": "clusterrolebindings clusterroles rolebindings roles",
    "apiextensions.k8s.io/v1": "customresourcedefinitions",
    "networking.k8s.io/v1": "ingressclasses ingresses networkpolicies",
    "autoscaling/v2": "horizontalpodautoscalers",
    "policy/v1": "poddisruptionbudgets",
    "events.k8s.io/v1": "events",
    "discovery.k8s.io/v1": "endpointslices",
    "authorization.k8s.io/v1": "selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews",
    "authentication.k8s.io/v1": "selfsubjectreviews tokenreviews",
    "storage.k8s.io/v1": "storageclasses",
    "scheduling.k8s.io/v1": "priorityclasses",
}
SUBRESOURCES = {"status", "scale", "finalize"}


def raw(path):
    return json.loads(subprocess.check_output(["kubectl", "get", "--raw", path]))


def trimmed(node, is_property_map=False):
    if isinstance(node, dict):
        return {
            key: trimmed(value, not is_property_map and key == "properties")
            for key, value in node.items()
            if is_property_map or key not in ("description", "x-kubernetes-unions")
        }
    if isinstance(node, list):
        return [trimmed(item) for item in node]
    return node


def references(node, found):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                found.add(value.rsplit("/", 1)[1])
            references(value, found)
    elif isinstance(node, list):
        for item in node:
            references(item, found)


def left_out():
    """What the server has and KubeSim does not, by group and version."""
    found = {}
    versions = ["v1"] + [v["groupVersion"] for g in raw("/apis")["groups"] for v in g["versions"]]
    for group_version in versions:
        base = "/api/v1" if group_version == "v1" else "/apis/" + group_version
        wanted = WANTED.get(group_version, "").split()
        for entry in raw(base)["resources"]:
            plural, _, sub = entry["name"].partition("/")
            if plural not in wanted or (sub and sub not in SUBRESOURCES):
                found.setdefault(group_version, []).append(entry["name"])
    return found


def main(folder):
    schemas, resources, roots = {}, [], set()
    for group_version, names in WANTED.items():
        base = "/api/v1" if group_version == "v1" else "/apis/" + group_version
        group, _, version = group_version.rpartition("/")
        document = raw("/openapi/v3" + base)["components"]["schemas"]
        for name, schema in document.items():
            schemas.setdefault(name, schema)
        wanted = names.split()
        for entry in raw(base)["resources"]:
            plural, _, sub = entry["name"].partition("/")
            if plural not in wanted or (sub and sub not in SUBRESOURCES):
                continue
            if sub:
                owner = next(r for r in resources if r["plural"] == plural and r["group"] == group)
                owner.setdefault("subresources", []).append(
                    {"name": sub, "group": entry.get("group", group), "version": entry.get("version", version),
                     "kind": entry["kind"], "verbs": entry["verbs"]})
                continue
            kind = {"group": group, "version": version, "kind": entry["kind"]}
            name = next(n for n, s in document.items() if kind in s.get("x-kubernetes-group-version-kind", []))
            roots.update((name, name + "List") if name + "List" in document else (name,))
            resource = {"group": group, "version": version, "plural": plural, "singular": entry["singularName"],
                        "kind": entry["kind"], "namespaced": entry["namespaced"], "verbs": entry["verbs"], "schema": name}
            for optional in ("shortNames", "categories"):
                if optional in entry:
                    resource[optional] = entry[optional]
            resources.append(resource)
    roots.add("io.k8s.api.autoscaling.v1.Scale")
    roots.add("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions")
    kept, queue = set(), list(roots)
    while queue:
        name = queue.pop()
        if name not in kept and name in schemas:
            kept.add(name)
            found = set()
            references(schemas[name], found)
            queue.extend(found)
    with open(folder + "/schemas.json", "w") as out:
        rows = (json.dumps(n) + ":" + json.dumps(trimmed(schemas[n]), separators=(",", ":")) for n in sorted(kept))
        out.write("{\n" + ",\n".join(rows) + "\n}\n")
    with open(folder + "/resources.json", "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in resources) + "\n]\n")
    with open(folder + "/left-out.json", "w") as out:
        rows = (json.dumps(version) + ":" + json.dumps(sorted(names)) for version, names in left_out().items())
        out.write("{\n" + ",\n".join(rows) + "\n}\n")


main(sys.argv[1])
