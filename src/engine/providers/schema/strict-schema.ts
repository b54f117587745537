import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { objectRoot } from "./object-root.ts";
import { isPortable } from "./patterns.ts";
import type { Place, Simple } from "./unfold.ts";
import { simplify, startOf } from "./unfold.ts";
import { describe, inWords } from "./words.ts";

/** The limits that OpenAI documents for structured outputs. */
const LIMITS = { depth: 10, properties: 5000, enumValues: 1000, characters: 120_000 };
const LONG_ENUM = { values: 250, characters: 15_000 };

const FORMATS: ReadonlySet<Json> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);
const NUMBER = ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const KEPT: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["pattern", "format", "enum"]],
  ["number", [...NUMBER, "enum"]],
  ["integer", [...NUMBER, "enum"]],
  ["boolean", ["enum"]],
  ["array", ["minItems", "maxItems"]],
]);

/** What has been counted so far; `possible` turns false for good where the schema has no strict form. */
interface Tally {
  possible: boolean;
  properties: number;
  enumValues: number;
  characters: number;
}

/**
 * The schema as OpenAI's strict mode wants it: every property required, optional ones nullable (coercion makes null absent
 * again), nothing additional, few keywords. Undefined where the schema has no such form: free-form maps, values of any type,
 * tuples, definitions that contain themselves, or more than the documented limits.
 */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  const tally: Tally = { possible: true, properties: 0, enumValues: 0, characters: 0 };
  const place = startOf(schema);
  const root = objectRoot(place);
  const named = Object.keys(root["properties"] as JsonObject).length > 0;
  const shown = strictObject(named ? root : { additionalProperties: false, ...root }, {
    place,
    tally,
    depth: 1,
  });
  const within =
    tally.properties <= LIMITS.properties &&
    tally.enumValues <= LIMITS.enumValues &&
    tally.characters <= LIMITS.characters;
  return tally.possible && within ? shown : undefined;
}

interface Walk {
  readonly place: Place;
  readonly tally: Tally;
  readonly depth: number;
}

function strict(schema: Json, walk: Walk, optional: boolean): JsonObject {
  const simple = simplify(schema, walk.place);
  if (simple.cut !== undefined || walk.depth > LIMITS.depth) return impossible(walk);
  const nullable = simple.nullable || optional;
  const inside = { ...walk, place: simple.place };
  if ("forms" in simple) return strictForms(simple.forms, inside, nullable);
  const shown = strictOfType(simple, inside);
  return nullable ? withNull(shown) : shown;
}

function strictForms(forms: readonly JsonObject[], walk: Walk, nullable: boolean): JsonObject {
  const shown = forms.map((form) => strict(form, { ...walk, depth: walk.depth + 1 }, false));
  return { anyOf: nullable ? [...shown, { type: "null" }] : shown };
}

function strictOfType(
  simple: Simple & { readonly node: JsonObject; readonly type: string | undefined },
  walk: Walk,
): JsonObject {
  const { node, type } = simple;
  if (type === undefined) return impossible(walk);
  if (type === "object") return strictObject(node, walk);
  if (type === "null") return { type, ...describe(node["description"], []) };
  const { const: only, ...rest } = node;
  const shown = keptAndSaid(only === undefined ? rest : { ...rest, enum: [only] }, type);
  count(shown["enum"], walk.tally);
  if (type !== "array") return shown;
  if (node["prefixItems"] !== undefined || !isObject(node["items"])) return impossible(walk);
  return { ...shown, items: strict(node["items"], { ...walk, depth: walk.depth + 1 }, false) };
}

function strictObject(node: JsonObject, walk: Walk): JsonObject {
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const { additionalProperties: rest, patternProperties } = node;
  const isOpen =
    patternProperties !== undefined || (properties.length > 0 ? (rest ?? false) : rest) !== false;
  const required = (node["required"] as readonly string[] | undefined) ?? [];
  const isUndeclared = required.some((name) => !properties.some(([known]) => known === name));
  if (isOpen || isUndeclared) return impossible(walk);
  walk.tally.properties += properties.length;
  const inside = { ...walk, depth: walk.depth + 1 };
  const shown = properties.map(([name, schema]) => {
    walk.tally.characters += name.length;
    return [name, strict(schema, inside, !required.includes(name))] as const;
  });
  return {
    ...keptAndSaid(node, "object"),
    properties: Object.fromEntries(shown),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

const STRUCTURE: ReadonlySet<string> = new Set(["properties", "required", "additionalProperties", "items"]);

function keptAndSaid(node: JsonObject, type: string): JsonObject {
  const shown: Record<string, Json> = { type };
  const sentences: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (STRUCTURE.has(keyword)) continue;
    if (KEPT.get(type)?.includes(keyword) === true && isAccepted(keyword, value)) shown[keyword] = value;
    else sentences.push(inWords(keyword, value));
  }
  return { ...shown, ...describe(node["description"] ?? node["title"], sentences) };
}

function isAccepted(keyword: string, value: Json): boolean {
  if (keyword === "pattern") return isPortable(value as string);
  return keyword === "format" ? FORMATS.has(value) : true;
}

function count(values: Json | undefined, tally: Tally): void {
  if (!Array.isArray(values)) return;
  const characters = (values as readonly Json[]).reduce<number>(
    (sum, value) => sum + JSON.stringify(value).length,
    0,
  );
  tally.enumValues += values.length;
  tally.characters += characters;
  if (values.length > LONG_ENUM.values && characters > LONG_ENUM.characters) tally.possible = false;
}

function withNull(shown: JsonObject): JsonObject {
  const { type, enum: values } = shown;
  if (shown["anyOf"] !== undefined || type === "null" || typeof type !== "string") return shown;
  const all = values as readonly Json[] | undefined;
  return { ...shown, type: [type, "null"], ...(all !== undefined && { enum: [...new Set([...all, null])] }) };
}

function impossible({ tally }: Walk): JsonObject {
  tally.possible = false;
  return {};
}
