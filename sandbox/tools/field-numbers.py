#!/usr/bin/env python3
"""Refreshes the table of protobuf field numbers of KubeSim's built-in kinds from the published .proto files.

Usage: sandbox/tools/field-numbers.py K8S_API_MODULE K8S_APIMACHINERY_MODULE OUTPUT_FOLDER
Each line of the output is one type: {"number": ["jsonName", "type"]}; a type is a scalar, a type name, "[]type" for
lists or "{}type" for maps with string keys. An empty name marks a type whose fields stand in its owner.
"""
import glob
import json
import re
import sys

SCALARS = {"string", "bool", "int32", "int64", "double", "bytes", "uint32", "uint64"}


def messages(path):
    text = re.sub(r"//.*", "", open(path).read())
    package = re.search(r"^package ([\w.]+);", text, re.M).group(1)
    for match in re.finditer(r"^message (\w+) \{(.*?)^\}", text, re.M | re.S):
        yield package, match.group(1), match.group(2)


def main(api, machinery, folder):
    schemas = json.load(open(folder + "/schemas.json"))
    table = {}
    files = glob.glob(api + "/*/*/generated.proto") + glob.glob(machinery + "/pkg/**/generated.proto", recursive=True)
    for path in files:
        for package, name, body in messages(path):
            full = "io." + package.replace("k8s.io", "k8s") + "." + name
            fields = {}
            for field in re.finditer(r"(repeated |optional )?(map<string, [\w.]+>|[.\w]+) (\w+) = (\d+)", body):
                kind, mark = field.group(2), ""
                if kind.startswith("map<"):
                    kind, mark = kind[len("map<string, "):-1], "{}"
                elif (field.group(1) or "").strip() == "repeated":
                    mark = "[]"
                if kind not in SCALARS:
                    kind = kind.lstrip(".")
                    kind = "io." + (kind.replace("k8s.io", "k8s") if "." in kind else package.replace("k8s.io", "k8s") + "." + kind)
                fields[field.group(4)] = [field.group(3), mark + kind]
            table[full] = fields
    kept, queue = {}, [n for n in schemas if n in table]
    while queue:
        name = queue.pop()
        if name in kept:
            continue
        kept[name] = table[name]
        queue.extend(t for t in (k.lstrip("[]{}") for _, k in table[name].values()) if t in table)
        known = schemas.get(name, {}).get("properties")
        for field in table[name].values():
            field[0] = {"aPIGroup": "apiGroup"}.get(field[0], field[0])
            if known and field[0] not in known:
                field[0] = ""  # a struct that is embedded in its owner: its fields stand there
    with open(folder + "/field-numbers.json", "w") as out:
        rows = (json.dumps(n) + ":" + json.dumps(kept[n], separators=(",", ":")) for n in sorted(kept))
        out.write("{\n" + ",\n".join(rows) + "\n}\n")


main(*sys.argv[1:])
