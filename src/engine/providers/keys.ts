import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { NameRule, Names } from "./names.ts";
import { createSafeNames } from "./names.ts";
import type { ProviderFormat } from "../types/provider-format.ts";
import { toSubset } from "./schema/schema-subset.ts";

/** Parameter names that a provider refuses have the whole request refused: Anthropic says so with a 400, Google in its reference. */
const RULES: Partial<Record<ProviderFormat, NameRule>> = {
  anthropic: { unsafe: /[^a-zA-Z0-9_.-]/gu, first: /[a-zA-Z0-9_.-]/, longest: 64 },
  google: { unsafe: /\W/gu, first: /[a-zA-Z_]/, longest: 64 },
};

const restored = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

/** A shown schema with its parameters under names the provider takes; the same object where all names are safe. */
export function withSafeKeys(shown: JsonObject, format: ProviderFormat): JsonObject {
  const rule = RULES[format];
  const { properties, required } = shown;
  if (rule === undefined || !isObject(properties)) return shown;
  const names = createSafeNames(Object.keys(properties), rule);
  if (Object.keys(properties).every((key) => names.shown(key) === key)) return shown;
  return {
    ...shown,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => [names.shown(key), schema]),
    ),
    ...(Array.isArray(required) && {
      required: (required as readonly string[]).map((key) => names.shown(key)),
    }),
  };
}

/** The input with its parameters under their own names again, whichever provider showed them; the same object where none was renamed. */
export function fromSafeKeys(input: JsonObject, schema: JsonObject): JsonObject {
  const originals = originalsOf(schema);
  if (originals.size === 0 || !Object.keys(input).some((key) => originals.has(key))) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [originals.get(key) ?? key, value]));
}

function originalsOf(schema: JsonObject): ReadonlyMap<string, string> {
  const known = restored.get(schema);
  if (known !== undefined) return known;
  // As they are shown: the forms of a choice at the top bring parameters of their own.
  const properties = toSubset(schema, "full")?.["properties"];
  const keys = isObject(properties) ? Object.keys(properties) : [];
  const originals = new Map<string, string>();
  for (const rule of Object.values(RULES)) {
    const names: Names = createSafeNames(keys, rule);
    for (const key of keys) if (names.shown(key) !== key) originals.set(names.shown(key), key);
  }
  restored.set(schema, originals);
  return originals;
}
