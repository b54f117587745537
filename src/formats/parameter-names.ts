import { defined } from "../util/json/defined.ts";
import { isObject, type JsonObject } from "../core/json.ts";
import type { ProviderFormat } from "./provider-shapes.ts";
import { toSubset } from "./schema/schema-subset.ts";
import { createSafeNames, type NameRule } from "./tool-names.ts";

/** Providers that refuse a whole request for one parameter name: Anthropic answers 400, Google documents it. */
const RULES: Partial<Record<ProviderFormat, NameRule>> = {
  anthropic: { unsafe: /[^a-zA-Z0-9_.-]/gu, first: /[a-zA-Z0-9_.-]/, longest: 64 },
  google: { unsafe: /\W/gu, first: /[a-zA-Z_]/, longest: 64 },
};

const SAFE_EVERYWHERE = /^[a-zA-Z_]\w{0,63}$/;
const COMBINATORS = ["$ref", "allOf", "anyOf", "oneOf"];

const originalsBySchema = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** Returns the schema with parameter names that the provider accepts, or the same object if all are safe. */
export function withSafeParameters(input: JsonObject, format: ProviderFormat): JsonObject {
  const rule = RULES[format];
  const { properties, required } = input;
  if (rule === undefined || !isObject(properties)) return input;
  const names = createSafeNames(Object.keys(properties), rule);
  if (Object.keys(properties).every((key) => names.shown(key) === key)) return input;
  const renamed = Object.entries(properties).map(([key, schema]) => [names.shown(key), schema] as const);
  const keys = Array.isArray(required)
    ? (required as readonly string[]).map((key) => names.shown(key))
    : undefined;
  return { ...input, properties: Object.fromEntries(renamed), ...defined({ required: keys }) };
}

/** Returns false if no provider is shown another name for a parameter, which is nearly always. */
export function mayRenameParameters(schema: JsonObject): boolean {
  const { properties } = schema;
  if (COMBINATORS.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  return isObject(properties) && !Object.keys(properties).every((key) => SAFE_EVERYWHERE.test(key));
}

/** Returns the input under the tool's own parameter names, or the same object if none was renamed for a provider. */
export function toOriginalParameters(input: JsonObject, schema: JsonObject): JsonObject {
  const originals = originalsOf(schema);
  if (originals.size === 0 || !Object.keys(input).some((key) => originals.has(key))) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [originals.get(key) ?? key, value]));
}

function originalsOf(schema: JsonObject): ReadonlyMap<string, string> {
  const known = originalsBySchema.get(schema);
  if (known !== undefined) return known;
  // The subset that is shown: an `anyOf` at the top adds the parameters of its forms.
  const properties = toSubset(schema, "full")?.["properties"];
  const keys = isObject(properties) ? Object.keys(properties) : [];
  const originals = new Map<string, string>();
  for (const rule of Object.values(RULES)) {
    const names = createSafeNames(keys, rule);
    for (const key of keys) if (names.shown(key) !== key) originals.set(names.shown(key), key);
  }
  originalsBySchema.set(schema, originals);
  return originals;
}
