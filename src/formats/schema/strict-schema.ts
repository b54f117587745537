import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { toObjectRoot } from "./object-root.ts";
import { isPortable } from "./patterns.ts";
import { withSentences, toSentence } from "./sentences.ts";
import { simplify, startAt, type Position, type Simple } from "./simplify.ts";

/** The limits that OpenAI documents for structured outputs. */
const LIMITS = { depth: 10, properties: 5000, enumValues: 1000, characters: 120_000 };
const LONG_ENUM = { values: 250, characters: 15_000 };

const FORMATS: ReadonlySet<Json> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);
const NUMBER = ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const SUPPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["pattern", "format", "enum"]],
  ["number", [...NUMBER, "enum"]],
  ["integer", [...NUMBER, "enum"]],
  ["boolean", ["enum"]],
  ["array", ["minItems", "maxItems"]],
]);

/** Counts against the limits; `possible` becomes false if the schema has no strict form. */
interface Counts {
  possible: boolean;
  properties: number;
  enumValues: number;
  characters: number;
}

/**
 * Converts a schema for OpenAI's strict mode: every property required, optional ones nullable (coercion turns null back into
 * absent), nothing additional, few keywords. Returns undefined if the schema has no such form: free-form maps, values of any
 * type, tuples, recursive definitions, or more than the documented limits.
 */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  const counts: Counts = { possible: true, properties: 0, enumValues: 0, characters: 0 };
  const position = startAt(schema);
  const root = toObjectRoot(position);
  const named = Object.keys(root["properties"] as JsonObject).length > 0;
  const closed = named ? root : { additionalProperties: false, ...root };
  const strictRoot = strictObject(closed, { position, counts, depth: 1 });
  const within =
    counts.properties <= LIMITS.properties &&
    counts.enumValues <= LIMITS.enumValues &&
    counts.characters <= LIMITS.characters;
  return counts.possible && within ? strictRoot : undefined;
}

interface Walk {
  readonly position: Position;
  readonly counts: Counts;
  readonly depth: number;
}

function strict(
  schema: Json,
  walk: Walk,
  { isOptional: optional }: { readonly isOptional: boolean },
): JsonObject {
  const simple = simplify(schema, walk.position);
  if (simple.cut !== undefined || walk.depth > LIMITS.depth) return impossible(walk);
  const nullable = simple.nullable || optional;
  const inside = { ...walk, position: simple.position };
  if ("forms" in simple) return strictForms(simple.forms, inside, nullable);
  const strictSchema = strictOfType(simple, inside);
  return nullable ? withNull(strictSchema) : strictSchema;
}

function strictForms(forms: readonly JsonObject[], walk: Walk, nullable: boolean): JsonObject {
  const alternatives = forms.map((form) =>
    strict(form, { ...walk, depth: walk.depth + 1 }, { isOptional: false }),
  );
  return { anyOf: nullable ? [...alternatives, { type: "null" }] : alternatives };
}

function strictOfType(
  simple: Simple & { readonly node: JsonObject; readonly type: string | undefined },
  walk: Walk,
): JsonObject {
  const { node, type } = simple;
  if (type === undefined) return impossible(walk);
  if (type === "object") return strictObject(node, walk);
  if (type === "null") return { type, ...withSentences(node["description"], []) };
  const { const: only, ...rest } = node;
  const keywords = shownKeywords(only === undefined ? rest : { ...rest, enum: [only] }, type);
  count(keywords["enum"], walk.counts);
  if (type !== "array") return keywords;
  if (node["prefixItems"] !== undefined || !isObject(node["items"])) return impossible(walk);
  return {
    ...keywords,
    items: strict(node["items"], { ...walk, depth: walk.depth + 1 }, { isOptional: false }),
  };
}

function strictObject(node: JsonObject, walk: Walk): JsonObject {
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const { additionalProperties: rest, patternProperties } = node;
  const isOpen =
    patternProperties !== undefined || (properties.length > 0 ? (rest ?? false) : rest) !== false;
  const required = (node["required"] as readonly string[] | undefined) ?? [];
  const isUndeclared = required.some((name) => !properties.some(([known]) => known === name));
  if (isOpen || isUndeclared) return impossible(walk);
  walk.counts.properties += properties.length;
  const inside = { ...walk, depth: walk.depth + 1 };
  const strictProperties = properties.map(([name, schema]) => {
    walk.counts.characters += name.length;
    return [name, strict(schema, inside, { isOptional: !required.includes(name) })] as const;
  });
  return {
    ...shownKeywords(node, "object"),
    properties: Object.fromEntries(strictProperties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function shownKeywords(node: JsonObject, type: string): JsonObject {
  const keywords: Record<string, Json> = { type };
  const sentences: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    // An object with a strict form is closed; elsewhere it means nothing.
    if (keyword === "additionalProperties") continue;
    if (SUPPORTED.get(type)?.includes(keyword) === true && isAccepted(keyword, value))
      keywords[keyword] = value;
    else sentences.push(toSentence(keyword, value));
  }
  return { ...keywords, ...withSentences(node["description"] ?? node["title"], sentences) };
}

function isAccepted(keyword: string, value: Json): boolean {
  if (keyword === "pattern") return isPortable(value as string);
  return keyword === "format" ? FORMATS.has(value) : true;
}

function count(values: Json | undefined, counts: Counts): void {
  if (!Array.isArray(values)) return;
  const characters = (values as readonly Json[]).reduce<number>(
    (sum, value) => sum + JSON.stringify(value).length,
    0,
  );
  counts.enumValues += values.length;
  counts.characters += characters;
  if (values.length > LONG_ENUM.values && characters > LONG_ENUM.characters) counts.possible = false;
}

function withNull(shown: JsonObject): JsonObject {
  const { type, enum: values } = shown;
  if (shown["anyOf"] !== undefined || type === "null" || typeof type !== "string") return shown;
  const all = values as readonly Json[] | undefined;
  return { ...shown, type: [type, "null"], ...(all !== undefined && { enum: [...new Set([...all, null])] }) };
}

function impossible({ counts }: Walk): JsonObject {
  counts.possible = false;
  return {};
}
