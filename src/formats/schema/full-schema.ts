import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { typesOf, normalize } from "./normalize.ts";
import { toObjectRoot } from "./object-root.ts";
import { isPortable } from "./patterns.ts";
import { refName, resolveRef } from "./refs.ts";
import { withSentences, toSentence } from "./sentences.ts";
import { startAt } from "./simplify.ts";

const ONE = ["items", "additionalProperties", "propertyNames", "not", "contains", "if", "then", "else"];
const ONE_SCHEMA: ReadonlySet<string> = new Set([...ONE, "unevaluatedItems", "unevaluatedProperties"]);
const LIST_OF_SCHEMAS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const MAP_OF_SCHEMAS: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** Referenced definitions: each is written once, under `$defs`, and may contain itself. */
interface Definitions {
  readonly root: JsonObject;
  readonly names: Map<string, string>;
  readonly taken: Set<string>;
}

/**
 * Converts a schema for providers that accept draft 2020-12 and only restrict the root (OpenAI without strict, Anthropic): drops
 * unknown keywords and patterns they cannot compile, and moves the targets of local refs to `$defs`.
 */
export function toFullSchema(schema: JsonObject): JsonObject {
  const definitions: Definitions = { root: schema, names: new Map(), taken: new Set() };
  const fullSchema = convert(toObjectRoot(startAt(schema)), definitions);
  const converted = new Map<string, JsonObject>();
  // The map grows during the loop, which visits the added entries too.
  for (const [ref, name] of definitions.names)
    converted.set(name, convert(resolveRef(schema, ref) ?? true, definitions));
  return converted.size === 0 ? fullSchema : { ...fullSchema, $defs: Object.fromEntries(converted) };
}

function convert(schema: Json, definitions: Definitions): JsonObject {
  const node = normalize(schema);
  const sentences: string[] = [];
  const keywords: Record<string, Json> = {};
  for (const keyword of Object.keys(node)) {
    const value = node[keyword] as Json;
    const converted = keywordShown(keyword, value, definitions);
    if (converted === undefined) sentences.push(toSentence(keyword, value));
    else keywords[keyword] = converted;
  }
  const types = typesOf(node);
  if (types.includes("object")) keywords["properties"] ??= {};
  if (types.includes("array")) keywords["items"] ??= {};
  return sentences.length === 0
    ? keywords
    : { ...keywords, ...withSentences(keywords["description"], sentences) };
}

function keywordShown(keyword: string, value: Json, definitions: Definitions): Json | undefined {
  if (keyword === "$ref") return refShown(value as string, definitions);
  if (keyword === "pattern") return isPortable(value as string) ? value : undefined;
  if (keyword === "patternProperties" && !Object.keys(value as JsonObject).every(isPortable))
    return undefined;
  if (LIST_OF_SCHEMAS.has(keyword))
    return (value as readonly Json[]).map((each) => convert(each, definitions));
  if (ONE_SCHEMA.has(keyword)) return typeof value === "boolean" ? value : convert(value, definitions);
  if (!MAP_OF_SCHEMAS.has(keyword) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each, definitions)]));
}

function refShown(ref: string, { root, names, taken }: Definitions): Json | undefined {
  if (resolveRef(root, ref) === undefined) return undefined;
  const known = names.get(ref);
  const name = known ?? freeName(refName(ref), taken);
  names.set(ref, name);
  return `#/$defs/${name}`;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}
