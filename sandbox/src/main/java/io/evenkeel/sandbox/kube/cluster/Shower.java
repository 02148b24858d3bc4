package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiRequest.Form;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Tables;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Stored;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows stored objects in the form that a client asked for: whole, as rows of a table, or metadata only. */
final class Shower {
    private final Resource resource;
    private final Form form;
    private final Clock clock;

    Shower(Resource resource, Form form, Clock clock) {
        this.resource = resource;
        this.form = form;
        this.clock = clock;
    }

    byte[] single(Stored stored, boolean withColumns) {
        return switch (form) {
            case OBJECT -> Bodies.show(resource, stored);
            case METADATA -> Json.bytes(metadataOnly(Bodies.open(resource, stored)));
            case TABLE -> {
                ObjectNode object = Bodies.open(resource, stored);
                ObjectNode metadata =
                        Json.object().put("resourceVersion", Json.text(object, "metadata", "resourceVersion"));
                yield Json.bytes(table(metadata, List.of(object), withColumns));
            }
        };
    }

    byte[] single(ObjectNode object) {
        return switch (form) {
            case OBJECT -> Json.bytes(object);
            case METADATA -> Json.bytes(metadataOnly(object));
            case TABLE ->
                Json.bytes(table(
                        Json.object().put("resourceVersion", Json.text(object, "metadata", "resourceVersion")),
                        List.of(object),
                        true));
        };
    }

    byte[] bookmark(ObjectNode metadata) {
        ObjectNode object = Json.object().put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
        object.set("metadata", metadata);
        return switch (form) {
            case OBJECT -> Json.bytes(object);
            case METADATA -> Json.bytes(metadataOnly(object));
            case TABLE -> Json.bytes(table(metadata, List.of(object), false));
        };
    }

    byte[] list(ObjectNode metadata, List<Stored> objects) {
        if (form == Form.TABLE) {
            return Json.bytes(table(
                    metadata,
                    objects.stream()
                            .map(stored -> Bodies.open(resource, stored))
                            .toList(),
                    true));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(256 + objects.size() * 512);
        String kind = form == Form.METADATA ? "PartialObjectMetadataList" : resource.listKind();
        String version = form == Form.METADATA ? "meta.k8s.io/v1" : resource.apiVersion();
        String head = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + version + "\",\"metadata\":" + metadata
                + ",\"items\":[";
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        boolean first = true;
        for (Stored stored : objects) {
            if (!first) {
                out.write(',');
            }
            first = false;
            out.writeBytes(item(stored));
        }
        out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    /** Items of built-in kinds come without kind and apiVersion, which is how they are stored. */
    private byte[] item(Stored stored) {
        if (form == Form.METADATA) {
            return Json.bytes(metadataOnly(Bodies.open(resource, stored)));
        }
        return resource.builtIn() && resource.traits().renames().isEmpty()
                ? stored.body()
                : Bodies.show(resource, stored);
    }

    private static ObjectNode metadataOnly(ObjectNode object) {
        ObjectNode shown = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        shown.set("metadata", object.path("metadata"));
        return shown;
    }

    private ObjectNode table(ObjectNode metadata, List<ObjectNode> objects, boolean withColumns) {
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.set("metadata", metadata);
        if (withColumns) {
            table.setAll(Tables.definitions(resource.columns()));
        } else {
            table.putNull("columnDefinitions");
        }
        ArrayNode rows = Json.array();
        for (ObjectNode object : objects) {
            ObjectNode row = Json.object();
            row.set("cells", Tables.cells(resource.columns(), object, clock.instant()));
            row.set("object", metadataOnly(object));
            rows.add(row);
        }
        table.set("rows", rows);
        return table;
    }
}
