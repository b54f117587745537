import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { typesOf } from "./normalize.ts";
import { withSentences, toSentence } from "./sentences.ts";

type Combine = (first: Json, second: Json) => Json | undefined;

const higher: Combine = (first, second) => Math.max(first as number, second as number);
const lower: Combine = (first, second) => Math.min(first as number, second as number);
const firstOnly: Combine = (first) => first;
const both: Combine = (first, second) => ({ allOf: [first, second] });

const COMBINE: ReadonlyMap<string, Combine> = new Map<string, Combine>([
  ...forAll(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"], higher),
  ...forAll(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"], lower),
  ...forAll(["title", "default", "examples", "format"], firstOnly),
  ...forAll(["items", "not"], both),
  ["properties", (first, second) => mergedProperties(first as JsonObject, second as JsonObject)],
  [
    "required",
    (first, second) => [...new Set([...(first as readonly Json[]), ...(second as readonly Json[])])],
  ],
  ["type", (first, second) => commonTypes({ type: first }, { type: second })],
  ["enum", (first, second) => commonValues(first as readonly Json[], second as readonly Json[])],
  ["description", (first, second) => (first === second ? first : `${first as string} ${second as string}`)],
  ["additionalProperties", (first, second) => (first === false || second === false ? false : first)],
  ["allOf", (first, second) => [...(first as readonly Json[]), ...(second as readonly Json[])]],
]);

/** Returns a node that requires what both require; what one node cannot express becomes a sentence. */
export function mergeSchemas(first: JsonObject, second: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...first };
  const sentences: string[] = [];
  for (const [keyword, value] of Object.entries(second)) {
    const present = result[keyword];
    if (present === undefined) {
      result[keyword] = value;
      continue;
    }
    const combined = COMBINE.get(keyword)?.(present, value);
    if (combined !== undefined) result[keyword] = combined;
    else if (!sameJson(present, value)) sentences.push(toSentence(keyword, value));
  }
  return { ...result, ...withSentences(result["description"], sentences) };
}

/** Returns whether two values have the same JSON text. */
function sameJson(first: Json, second: Json): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}

function mergedProperties(first: JsonObject, second: JsonObject): JsonObject {
  const result = new Map(Object.entries(first));
  for (const [name, schema] of Object.entries(second)) {
    const present = result.get(name);
    const joined = present === undefined || sameJson(present, schema) ? schema : { allOf: [present, schema] };
    result.set(name, joined);
  }
  return Object.fromEntries(result);
}

function commonTypes(first: JsonObject, second: JsonObject): Json | undefined {
  const types = typesOf(first).filter((type) => typesOf(second).some((other) => covers(other, type)));
  const narrower = typesOf(second).filter((type) => type === "integer" && typesOf(first).includes("number"));
  const common = [...new Set([...types, ...narrower])];
  if (common.length === 0) return undefined;
  return common.length === 1 ? common[0] : common;
}

function covers(wide: string, narrow: string): boolean {
  return wide === narrow || (wide === "number" && narrow === "integer");
}

function commonValues(first: readonly Json[], second: readonly Json[]): Json | undefined {
  const common = first.filter((value) => second.some((other) => sameJson(value, other)));
  return common.length === 0 ? undefined : common;
}

function forAll(keywords: readonly string[], combine: Combine): readonly (readonly [string, Combine])[] {
  return keywords.map((keyword) => [keyword, combine]);
}

/** Returns a schema that matches any of the given ones. */
export function unionOf(schemas: readonly Json[]): Json {
  const different = schemas.filter(
    (schema, index) => schemas.findIndex((other) => sameJson(other, schema)) === index,
  );
  const [only] = different;
  if (different.length === 1 && only !== undefined) return only;
  const values = different.map(valuesOf);
  if (values.every((list) => list !== undefined)) return { enum: [...new Set(values.flat())] };
  return { anyOf: different };
}

function valuesOf(schema: Json): readonly Json[] | undefined {
  if (!isObject(schema)) return undefined;
  if (schema["const"] !== undefined) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? (schema["enum"] as readonly Json[]) : undefined;
}
