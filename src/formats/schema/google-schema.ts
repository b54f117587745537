import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { unionOf } from "./merge.ts";
import { toObjectRoot } from "./object-root.ts";
import { isPortable } from "./patterns.ts";
import { withSentences, toSentence, shortJson } from "./sentences.ts";
import { simplify, startAt, type Position, type Simple } from "./simplify.ts";

/**
 * Gemini refuses a declaration "nested too deeply" without documenting the limit; four nested lists or objects are known to
 * pass. Deeper values are declared as JSON text, which coercion parses.
 */
const DEEPEST = 4;
const SHAPE_LENGTH = 1500;

const FORMATS: ReadonlyMap<string, readonly Json[]> = new Map([
  ["string", ["date-time"]],
  ["number", ["float", "double"]],
  ["integer", ["int32", "int64"]],
]);
const SUPPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["title", "format", "pattern", "minLength", "maxLength"]],
  ["number", ["title", "format", "minimum", "maximum"]],
  ["integer", ["title", "format", "minimum", "maximum"]],
  ["boolean", ["title"]],
  ["array", ["title", "minItems", "maxItems"]],
  ["object", ["title", "minProperties", "maxProperties"]],
]);

interface Walk {
  readonly position: Position;
  readonly depth: number;
}

/**
 * Converts a schema to the `Schema` of Gemini's `FunctionDeclaration.parameters`, an OpenAPI subset in which an unknown field
 * makes the API refuse the request. Returns undefined for a tool without parameters. `parametersJsonSchema` accepts more, but
 * only in newer API versions, and its keywords are undocumented. Types are in lower case, as in Google's examples, so that the
 * result is JSON Schema too.
 */
export function toGoogleSchema(schema: JsonObject): JsonObject | undefined {
  const position = startAt(schema);
  const root = toObjectRoot(position);
  if (Object.keys(root["properties"] as JsonObject).length === 0) return undefined;
  return objectShown(root, { position, depth: 1 });
}

function shownSchema(schema: Json, walk: Walk): JsonObject {
  const simple = simplify(schema, walk.position);
  const inside = { ...walk, position: simple.position };
  const googleSchema =
    "forms" in simple ? formsShown(simple.forms, schema, inside) : nodeShown(simple, schema, inside);
  return simple.nullable ? withNullable(googleSchema) : googleSchema;
}

/** `anyOf` must stand alone, so `simplify` puts what holds for all forms into the first. */
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
  // There is no null type: a parameter that is always null becomes a nullable string.
  if (type === "null") return { ...shownKeywords({ ...node, type: "string" }, "string"), nullable: true };
  if (type !== "object" && type !== "array") return shownKeywords(node, type);
  if (walk.depth > DEEPEST) return asText(schema, node);
  if (type === "object") return objectShown(node, walk);
  const items = shownSchema(itemsOf(node), { ...walk, depth: walk.depth + 1 });
  return { ...shownKeywords(node, type), items };
}

/** Returns one schema for all items of a list: the union of a tuple's items and of those after them. */
function itemsOf({ prefixItems, items }: JsonObject): Json {
  if (!Array.isArray(prefixItems)) return items ?? true;
  const first = prefixItems as readonly Json[];
  return unionOf(items === false ? first : [...first, items ?? true]);
}

function objectShown(node: JsonObject, walk: Walk): JsonObject {
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const keywords = shownKeywords(node, "object");
  if (properties.length === 0) return keywords;
  const inside = { ...walk, depth: walk.depth + 1 };
  const known = new Set(properties.map(([name]) => name));
  const required = ((node["required"] as readonly string[] | undefined) ?? []).filter((name) =>
    known.has(name),
  );
  return {
    ...keywords,
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, shownSchema(schema, inside)])),
    ...(required.length > 0 && { required }),
  };
}

/** Returns the keywords that Gemini supports for the type, and the others as sentences. The API ignores `default` and `example`. */
function shownKeywords(node: JsonObject, type: string): JsonObject {
  const keywords: Record<string, Json> = { type };
  const sentences: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === "enum" || keyword === "const") continue;
    if (SUPPORTED.get(type)?.includes(keyword) === true && isAccepted(keyword, value, type))
      keywords[keyword] = value;
    else sentences.push(toSentence(keyword, value));
  }
  const values = valuesShown(node, type);
  return {
    ...keywords,
    ...values.shown,
    ...withSentences(node["description"], [...values.sentences, ...sentences]),
  };
}

function isAccepted(keyword: string, value: Json, type: string): boolean {
  if (keyword === "pattern") return isPortable(value as string);
  return keyword === "format" ? FORMATS.get(type)?.includes(value) === true : true;
}

/** Returns an `enum` of non-empty strings, the only kind that is supported; null becomes `nullable`. */
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
  if (type !== "string" || !listed || present.length === 0) {
    const [only = null] = values;
    const sentence = values.length === 1 ? toSentence("const", only) : toSentence("enum", values);
    return { shown: nullable, sentences: [sentence] };
  }
  return { shown: { ...nullable, enum: [...new Set(present)] }, sentences: [] };
}

function anything(node: JsonObject, depth: number): JsonObject {
  const described = shownKeywords(node, "string");
  const plain = [described, { type: "number" }, { type: "boolean" }];
  if (depth > DEEPEST) return described;
  const deeper =
    depth + 1 <= DEEPEST ? [{ type: "object" }, { type: "array", items: { type: "string" } }] : [];
  return { anyOf: [...plain, ...deeper] };
}

function asText(schema: Json, node: JsonObject): JsonObject {
  const shape = `JSON text of a value that fits ${shortJson(schema, SHAPE_LENGTH)}.`;
  return { type: "string", ...withSentences(node["description"], [shape]) };
}

function withNullable(shown: JsonObject): JsonObject {
  if (!Array.isArray(shown["anyOf"])) return { ...shown, nullable: true };
  const [first, ...others] = shown["anyOf"] as readonly JsonObject[];
  return { anyOf: [{ ...first, nullable: true }, ...others] };
}
