import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { eitherOf } from "./merge.ts";
import { objectRoot } from "./object-root.ts";
import { isPortable } from "./patterns.ts";
import type { Place, Simple } from "./unfold.ts";
import { simplify, startOf } from "./unfold.ts";
import { describe, inWords, short } from "./words.ts";

/**
 * Gemini refuses a declaration "nested too deeply" without saying how deep that is; four lists or objects inside each other
 * are known to pass. What lies deeper is shown as JSON text, which coercion reads back.
 */
const DEEPEST = 4;
const SHAPE_LENGTH = 1500;

const FORMATS: ReadonlyMap<string, readonly Json[]> = new Map([
  ["string", ["date-time"]],
  ["number", ["float", "double"]],
  ["integer", ["int32", "int64"]],
]);
const KEPT: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["title", "format", "pattern", "minLength", "maxLength"]],
  ["number", ["title", "format", "minimum", "maximum"]],
  ["integer", ["title", "format", "minimum", "maximum"]],
  ["boolean", ["title"]],
  ["array", ["title", "minItems", "maxItems"]],
  ["object", ["title", "minProperties", "maxProperties"]],
]);

interface Walk {
  readonly place: Place;
  readonly depth: number;
}

/**
 * The schema as the `Schema` of Gemini's `FunctionDeclaration.parameters`, an OpenAPI subset in which an unknown field has the
 * whole request refused; undefined for a tool without parameters. `parametersJsonSchema` would take more, but only newer API
 * versions have it and nothing says which keywords it reads, so a schema that is sure to pass is the better offer. Types are
 * written in lower case, as Google's own examples do, so that the result is JSON Schema as well.
 */
export function toGoogleSchema(schema: JsonObject): JsonObject | undefined {
  const place = startOf(schema);
  const root = objectRoot(place);
  if (Object.keys(root["properties"] as JsonObject).length === 0) return undefined;
  return objectShown(root, { place, depth: 1 });
}

function shownSchema(schema: Json, walk: Walk): JsonObject {
  const simple = simplify(schema, walk.place);
  const inside = { ...walk, place: simple.place };
  const shown =
    "forms" in simple ? formsShown(simple.forms, schema, inside) : nodeShown(simple, schema, inside);
  return simple.nullable ? withNullable(shown) : shown;
}

/** `anyOf` must stand alone, so what is said of all forms is said in the first (see `simplify`). */
function formsShown(forms: readonly JsonObject[], schema: Json, walk: Walk): JsonObject {
  if (walk.depth > DEEPEST) return asText(schema, forms[0] ?? {});
  return { anyOf: forms.flatMap((form) => flattened(shownSchema(form, { ...walk, depth: walk.depth + 1 }))) };
}

function flattened(shown: JsonObject): readonly JsonObject[] {
  return Array.isArray(shown["anyOf"]) ? (shown["anyOf"] as readonly JsonObject[]) : [shown];
}

function nodeShown(
  simple: Simple & { readonly node: JsonObject; readonly type: string | undefined },
  schema: Json,
  walk: Walk,
): JsonObject {
  const { node, type } = simple;
  if (type === undefined) return anything(node, walk.depth);
  // There is no null type: a parameter that can only be null is a text that may be null.
  if (type === "null") return { ...said({ ...node, type: "string" }, "string"), nullable: true };
  if (type !== "object" && type !== "array") return said(node, type);
  if (walk.depth > DEEPEST) return asText(schema, node);
  if (type === "object") return objectShown(node, walk);
  const items = shownSchema(itemsOf(node), { ...walk, depth: walk.depth + 1 });
  return { ...said(node, type), items };
}

/** A list has one kind of items here: any of those that a tuple lists, or of those after them. */
function itemsOf({ prefixItems, items }: JsonObject): Json {
  if (!Array.isArray(prefixItems)) return items ?? true;
  const first = prefixItems as readonly Json[];
  return eitherOf(items === false ? first : [...first, items ?? true]);
}

function objectShown(node: JsonObject, walk: Walk): JsonObject {
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const shown = said(node, "object");
  if (properties.length === 0) return shown;
  const inside = { ...walk, depth: walk.depth + 1 };
  const known = new Set(properties.map(([name]) => name));
  const required = ((node["required"] as readonly string[] | undefined) ?? []).filter((name) =>
    known.has(name),
  );
  return {
    ...shown,
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, shownSchema(schema, inside)])),
    ...(required.length > 0 && { required }),
  };
}

/** The keywords that Gemini's `Schema` has for this type; the others as sentences. Its `default` and `example` are ignored by the API. */
function said(node: JsonObject, type: string): JsonObject {
  const shown: Record<string, Json> = { type };
  const sentences: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === "enum" || keyword === "const") continue;
    if (KEPT.get(type)?.includes(keyword) === true && isAccepted(keyword, value, type))
      shown[keyword] = value;
    else sentences.push(inWords(keyword, value));
  }
  const values = valuesShown(node, type);
  return {
    ...shown,
    ...values.shown,
    ...describe(node["description"], [...values.sentences, ...sentences]),
  };
}

function isAccepted(keyword: string, value: Json, type: string): boolean {
  if (keyword === "pattern") return isPortable(value as string);
  return keyword === "format" ? FORMATS.get(type)?.includes(value) === true : true;
}

/** Only texts can be listed, and not the empty one; null is said by `nullable`. */
function valuesShown(
  node: JsonObject,
  type: string,
): { readonly shown: JsonObject; readonly sentences: readonly string[] } {
  const values =
    node["const"] === undefined ? (node["enum"] as readonly Json[] | undefined) : [node["const"]];
  if (values === undefined) return { shown: {}, sentences: [] };
  const nullable = values.includes(null) ? { nullable: true } : {};
  const present = values.filter((value) => value !== null);
  const listed = present.every((value) => typeof value === "string" && value !== "");
  if (type !== "string" || !listed || present.length === 0)
    return {
      shown: nullable,
      sentences: [
        inWords(values.length === 1 ? "const" : "enum", values.length === 1 ? (values[0] ?? null) : values),
      ],
    };
  return { shown: { ...nullable, enum: [...new Set(present)] }, sentences: [] };
}

function anything(node: JsonObject, depth: number): JsonObject {
  const described = said(node, "string");
  const plain = [described, { type: "number" }, { type: "boolean" }];
  if (depth > DEEPEST) return described;
  const deeper =
    depth + 1 <= DEEPEST ? [{ type: "object" }, { type: "array", items: { type: "string" } }] : [];
  return { anyOf: [...plain, ...deeper] };
}

function asText(schema: Json, node: JsonObject): JsonObject {
  const shape = `JSON text of a value that fits ${short(schema, SHAPE_LENGTH)}.`;
  return { type: "string", ...describe(node["description"], [shape]) };
}

function withNullable(shown: JsonObject): JsonObject {
  if (!Array.isArray(shown["anyOf"])) return { ...shown, nullable: true };
  const [first, ...others] = shown["anyOf"] as readonly JsonObject[];
  return { anyOf: [{ ...first, nullable: true }, ...others] };
}
