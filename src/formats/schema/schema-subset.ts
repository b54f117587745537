import { isDeeperThan } from "../../util/json/parse-json.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { toFullSchema } from "./full-schema.ts";
import { toGoogleSchema } from "./google-schema.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** The schemas that providers accept: draft 2020-12 below the root, OpenAI's strict subset, Gemini's `Schema`. */
type Subset = "full" | "strict" | "google";

const CONVERT: Readonly<Record<Subset, (schema: JsonObject) => JsonObject | undefined>> = {
  full: toFullSchema,
  strict: toStrictSchema,
  google: toGoogleSchema,
};
/** JSON levels: an untrusted schema may be nested deep enough to overflow the stack. */
const DEEPEST = 64;

const converted: Readonly<Record<Subset, WeakMap<JsonObject, JsonObject | "none">>> = {
  full: new WeakMap(),
  strict: new WeakMap(),
  google: new WeakMap(),
};

/**
 * Returns the schema as a provider accepts it, or undefined if it has no such form. Only the model sees the result: calls are
 * validated against the schema itself. Never throws, never changes its argument, and converts each object once.
 */
export function toSubset(schema: JsonObject, subset: Subset): JsonObject | undefined {
  const known = converted[subset].get(schema);
  if (known !== undefined) return known === "none" ? undefined : known;
  const subsetSchema = CONVERT[subset](clipped(schema, DEEPEST) as JsonObject);
  converted[subset].set(schema, subsetSchema ?? "none");
  return subsetSchema;
}

function clipped(value: Json, levels: number): Json {
  if (typeof value !== "object" || value === null || !isDeeperThan(value, levels)) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => clipped(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipped(item, levels - 1)]));
}
