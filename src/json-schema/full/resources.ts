import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import { dialectOf } from "../shared/dialect.ts";
import { childOf, keysOf } from "../shared/pointer.ts";
import type { Dialect } from "../shared/types.ts";
import { META_ADDRESSES, metaSchemaOf } from "./meta-schemas.ts";
import type { Resource, Target } from "./types.ts";

/** The base of addresses that have none. */
const NOWHERE = "none://none/";

const SCHEMA_AT = new Set(
  [
    "additionalProperties additionalItems items contains not if then else propertyNames",
    "unevaluatedItems unevaluatedProperties contentSchema",
  ].flatMap((line) => line.split(" ")),
);
const LIST_AT = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const MAP_AT = new Set(
  "properties patternProperties $defs definitions dependentSchemas dependencies".split(" "),
);

/** What references may lead to: a schema, the documents that were given with it, and the schemas of schemas. Nothing is loaded. */
export interface Resources {
  readonly dialect: Dialect;
  readonly documents: JsonObject;
  readonly byAddress: Map<string, Resource>;
  readonly homes: Map<JsonObject, Resource>;
  hasRead: boolean;
}

export function createResources(dialect: Dialect, documents: JsonObject): Resources {
  return { dialect, documents, byAddress: new Map(), homes: new Map(), hasRead: false };
}

/** Adds a document. Returns the resource of its root. */
export function addDocument(resources: Resources, schema: JsonSchema, address = ""): Resource {
  const base = create(resources, absolute(address, NOWHERE), schema, resources.dialect);
  walk(resources, schema, base);
  const root = resources.homes.get(schema as JsonObject) ?? base;
  resources.byAddress.set(base.address, root);
  return root;
}

/** Returns the resource of a part of a known schema. */
export function homeOf(resources: Resources, schema: JsonObject): Resource | undefined {
  return resources.homes.get(schema);
}

export function findTarget(resources: Resources, reference: string, home: Resource): Target | undefined {
  const [path = "", ...rest] = reference.split("#");
  const resource = path === "" ? home : openResource(resources, absolute(path, home.address));
  const fragment = attempt(() => decodeURIComponent(rest.join("#")));
  if (resource === undefined || fragment === undefined) return undefined;
  const keys = keysOf(fragment);
  if (keys !== undefined) return follow(resources, keys, resource);
  const schema = resource.anchors.get(fragment);
  return schema === undefined ? undefined : { schema, home: resource };
}

function openResource(resources: Resources, address: string): Resource | undefined {
  const known = resources.byAddress.get(address);
  if (known !== undefined) return known;
  if (!resources.hasRead) {
    resources.hasRead = true;
    for (const [name, document] of Object.entries(resources.documents))
      addDocument(resources, document as JsonSchema, name);
    return openResource(resources, address);
  }
  const dialect = DIALECTS.find((name) => META_ADDRESSES[name] === address);
  return dialect === undefined ? undefined : addDocument(resources, metaSchemaOf(dialect), address);
}

function follow(resources: Resources, keys: readonly string[], resource: Resource): Target | undefined {
  let node: Json | undefined = resource.root;
  let home = resource;
  for (const key of keys) {
    node = childOf(node, key);
    if (isObject(node)) home = resources.homes.get(node) ?? home;
  }
  if (typeof node === "boolean") return { schema: node, home };
  if (!isObject(node)) return undefined;
  // A reference may lead through an unknown keyword.
  if (!resources.homes.has(node)) walk(resources, node, home);
  return { schema: node, home: resources.homes.get(node) ?? home };
}

function walk(resources: Resources, schema: Json, outer: Resource): void {
  if (!isObject(schema) || resources.homes.has(schema)) return;
  const home = enter(resources, schema, outer);
  resources.homes.set(schema, home);
  for (const [keyword, value] of Object.entries(schema)) {
    if (Array.isArray(value) && LIST_AT.has(keyword))
      for (const part of value as readonly Json[]) walk(resources, part, home);
    else if (SCHEMA_AT.has(keyword)) walk(resources, value, home);
    else if (MAP_AT.has(keyword) && isObject(value))
      for (const part of Object.values(value)) walk(resources, part, home);
  }
}

/** Returns the resource that a schema belongs to: its own if it has an address. */
function enter(resources: Resources, schema: JsonObject, outer: Resource): Resource {
  const edition = schema["$schema"] === undefined ? outer.dialect : (dialectOf(schema) ?? outer.dialect);
  const isOld = edition === "draft-07";
  // Beside a reference of draft 7 nothing counts.
  if (isOld && typeof schema["$ref"] === "string" && schema !== outer.root) return outer;
  const [path = "", fragment = ""] = typeof schema["$id"] === "string" ? schema["$id"].split("#") : [];
  const isRoot = path !== "" || edition !== outer.dialect;
  const home = isRoot ? create(resources, absolute(path, outer.address), schema, edition) : outer;
  if (isOld && fragment !== "") home.anchors.set(fragment, schema);
  if (!isOld) addAnchors(schema, home);
  return home;
}

function create(resources: Resources, address: string, root: JsonSchema, dialect: Dialect): Resource {
  const [anchors, dynamicAnchors] = [new Map<string, JsonSchema>(), new Map<string, JsonSchema>()];
  const resource = {
    address,
    root,
    dialect,
    isAsserted: isAsserted(resources, root),
    anchors,
    dynamicAnchors,
  };
  if (!resources.byAddress.has(address)) resources.byAddress.set(address, resource);
  return resource;
}

function isAsserted(resources: Resources, root: JsonSchema): boolean {
  const named = isObject(root) ? root["$schema"] : undefined;
  const meta = typeof named === "string" ? childOf(resources.documents, named) : undefined;
  const vocabulary = childOf(meta, "$vocabulary");
  return !isObject(vocabulary) || Object.keys(vocabulary).some((name) => name.endsWith("/vocab/validation"));
}

function addAnchors(schema: JsonObject, { anchors, dynamicAnchors }: Resource): void {
  const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
  if (typeof $anchor === "string") anchors.set($anchor, schema);
  if (typeof $dynamicAnchor === "string") {
    anchors.set($dynamicAnchor, schema);
    dynamicAnchors.set($dynamicAnchor, schema);
  }
  if ($recursiveAnchor === true) dynamicAnchors.set("", schema);
}

const DIALECTS = ["draft-07", "2019-09", "2020-12"] as const;

function absolute(address: string, base: string): string {
  return URL.parse(address, base)?.href ?? address;
}
