import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import { asText } from "../../util/json/parse-json.ts";
import { resolveRef } from "./document.ts";
import { listOf } from "./operations.ts";

/** Keywords that say nothing about the values, or that no validator knows. */
const DROPPED: ReadonlySet<string> = new Set(
  "$ref nullable default example examples xml externalDocs discriminator deprecated readOnly writeOnly $schema $id $anchor $comment contentMediaType contentEncoding".split(
    " ",
  ),
);
/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE: ReadonlySet<string> = new Set(["items", "additionalProperties", "not"]);
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAX_DEPTH = 12;
/** Keywords against which an answer is not checked: texts, and `not`, which refuses everything once its schema is cut. */
const UNCHECKED: ReadonlySet<string> = new Set(["description", "title", "not"]);

interface Side {
  readonly depth: number;
  readonly nodes: number;
  /** Set on properties that the other side alone sends. */
  readonly foreign: "readOnly" | "writeOnly";
}
const SIDES: Readonly<Record<"input" | "output", Side>> = {
  input: { depth: MAX_DEPTH, nodes: 400, foreign: "readOnly" },
  // Stored with each operation, and read by no model.
  output: { depth: 4, nodes: 100, foreign: "writeOnly" },
};

/** Resolves the schemas of one operation. A schema inside itself, and what is deeper or larger than the limits, accepts anything. */
export function createSchemas(root: JsonObject, side: "input" | "output" = "input") {
  const limits = SIDES[side];
  let nodes = 0;
  const convert = (given: Json | undefined, path: readonly string[]): JsonObject => {
    const ref = isObject(given) && typeof given["$ref"] === "string" ? given["$ref"] : undefined;
    const schema = resolveRef(root, given);
    nodes += 1;
    const isEndless = ref !== undefined && path.includes(ref);
    if (schema === undefined || isEndless || path.length > limits.depth || nodes > limits.nodes) return {};
    const within = [...path, ref ?? ""];
    const siblings = ref !== undefined && isObject(given) ? given : {};
    const all = { ...schema, ...siblings };
    const entries = Object.entries(all).flatMap(([key, value]): readonly [string, Json][] => {
      if (DROPPED.has(key) || key.startsWith("x-") || (side === "output" && UNCHECKED.has(key))) return [];
      if (key === "properties" && isObject(value)) return [[key, properties(value, within)]];
      if (key === "$defs" || key === "definitions" || isInvalidPattern(key, value)) return [];
      if (ONE.has(key) && isObject(value)) return [[key, convert(value, within)]];
      if (LISTS.has(key)) return [[looser(key, all), listOf(value).map((one) => convert(one, within))]];
      if (key === "enum") return [[key, listOf(value).map((one) => ofType(one, all["type"]))]];
      if (key === "required") return [[key, listOf(value).filter((name) => !isForeign(all, name))]];
      return [[key, value]];
    });
    const plain = Object.fromEntries(entries);
    const converted = side === "input" ? withDefault(plain, all["default"]) : plain;
    // What upgrading from 3.0 leaves: beside a $ref or allOf.
    const isNullable = all["nullable"] === true && path.length > 0;
    return isNullable ? { anyOf: [converted, { type: "null" }] } : converted;
  };
  const isForeign = ({ properties: given }: JsonObject, name: Json): boolean =>
    isObject(given) &&
    typeof name === "string" &&
    Object.hasOwn(given, name) &&
    resolveRef(root, given[name])?.[limits.foreign] === true;
  /** Properties that the other side alone sends are left out. */
  const properties = (given: JsonObject, path: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, one]) =>
        isForeign({ properties: given }, name) ? [] : [[name, convert(one, path)]],
      ),
    );
  return { convert: (given: Json | undefined): JsonObject => convert(given, []) };
}

/** Documents have numbers among the values of a text, and texts among those of a number: no value would be valid. */
function ofType(value: Json, type: Json | undefined): Json {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  const isNumber =
    (type === "integer" || type === "number") && typeof value === "string" && value.trim() !== "";
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Names the default in the description. It is not sent: it is the server's, and would overwrite a value in a partial update. */
function withDefault(schema: JsonObject, value: Json | undefined): JsonObject {
  const { description = "" } = schema;
  const isNamed = typeof description !== "string" || /default/i.test(description);
  if (value === undefined || value === null || value === "" || typeof value === "object" || isNamed)
    return schema;
  return { ...schema, description: `${description} (default: ${String(value)})`.trim() };
}

/** Several schemas of a oneOf accept the same value once they are cut. */
function looser(key: string, { anyOf }: JsonObject): string {
  return key === "oneOf" && anyOf === undefined ? "anyOf" : key;
}

/** Documents have patterns of other languages. */
function isInvalidPattern(key: string, value: Json): boolean {
  return key === "pattern" && attempt(() => new RegExp(asText(value), "u")) === undefined;
}

/** The properties of an object's schema. */
export interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/** Returns the properties of a schema that only describes an object with known properties, also through allOf; else undefined. */
export function objectOf(schema: JsonObject): ObjectSchema | undefined {
  const { type, properties, required, allOf, anyOf, oneOf, not } = schema;
  if (anyOf !== undefined || oneOf !== undefined || not !== undefined) return undefined;
  if (type !== undefined && ![type].flat().includes("object")) return undefined;
  const parts = listOf(allOf).map((one) => (isObject(one) ? objectOf(one) : undefined));
  if (parts.some((part) => part === undefined)) return undefined;
  const own = isObject(properties) ? (properties as Record<string, JsonObject>) : {};
  const merged = Object.assign({}, ...parts.map((part) => part?.properties), own) as Record<
    string,
    JsonObject
  >;
  if (Object.keys(merged).length === 0) return undefined;
  const names = [...parts.flatMap((part) => part?.required ?? []), ...listOf(required)];
  const needed = new Set(names.filter((name) => typeof name === "string" && Object.hasOwn(merged, name)));
  return { properties: merged, required: [...needed] as string[] };
}

/** Returns the properties of an object's schema as they are written, also through allOf. */
export function rawProperties(root: JsonObject, schema: Json | undefined, depth = 0): JsonObject {
  const { properties, allOf } = resolveRef(root, schema) ?? {};
  const parts = depth < MAX_DEPTH ? listOf(allOf).map((one) => rawProperties(root, one, depth + 1)) : [];
  return Object.assign({}, ...parts, isObject(properties) ? properties : {}) as JsonObject;
}

const MAX_TYPE = 400;
const MAX_FIELDS = 20;

/** Returns a schema as a short type, such as `{id: integer, tags: string[]}`, for a model to read. Resolves only what it shows. */
export function typeOf(root: JsonObject, reference: Json | undefined, depth = 0): string {
  const schema = resolveRef(root, reference) ?? {};
  if (depth > MAX_DEPTH) return "any";
  const { type, items, allOf, anyOf, oneOf, enum: values, properties } = schema;
  const inner = (one: Json | undefined): string => typeOf(root, one, depth + 1);
  const choices = listOf(anyOf ?? oneOf).slice(0, MAX_FIELDS);
  if (choices.length > 0) return cut([...new Set(choices.map((one) => inner(one)))].join(" | "), "…");
  if (Array.isArray(values))
    return values
      .slice(0, 8)
      .map((one) => JSON.stringify(one))
      .join(" | ");
  if (type === "array") return `${inner(items)}[]`;
  const parts = [schema, ...listOf(allOf).map((one) => resolveRef(root, one) ?? {})];
  const fields = parts.flatMap((part) =>
    isObject(part["properties"]) ? Object.entries(part["properties"]) : [],
  );
  const isObjectType = properties !== undefined || fields.length > 0;
  if (!isObjectType) return typeof type === "string" ? type : listOf(type).map(String).join(" | ") || "any";
  if (depth > 2) return "object";
  const firstFields = fields.slice(0, MAX_FIELDS).map(([name, one]) => `${name}: ${inner(one)}`);
  return cut(`{${[...firstFields, ...(fields.length > MAX_FIELDS ? ["…"] : [])].join(", ")}}`, "…}");
}

function cut(text: string, end: string): string {
  return text.length <= MAX_TYPE ? text : text.slice(0, MAX_TYPE).toWellFormed() + end;
}
