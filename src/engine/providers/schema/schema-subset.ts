import type { Json, JsonObject } from "../../../core/json.ts";
import { toFullSchema } from "./full-schema.ts";
import { toGoogleSchema } from "./google-schema.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** What a provider can read: draft 2020-12 below the top, OpenAI's strict subset, Gemini's `Schema`. */
type Subset = "full" | "strict" | "google";

const CONVERT: Readonly<Record<Subset, (schema: JsonObject) => JsonObject | undefined>> = {
  full: toFullSchema,
  strict: toStrictSchema,
  google: toGoogleSchema,
};
/** JSON levels; a stranger's schema may be nested deeper than a stack is. */
const DEEPEST = 64;

const converted: Readonly<Record<Subset, WeakMap<JsonObject, JsonObject | "none">>> = {
  full: new WeakMap(),
  strict: new WeakMap(),
  google: new WeakMap(),
};

/**
 * The schema as a provider can read it; undefined where it has no such form. Only what the model is shown becomes simpler: calls
 * are still checked against the schema itself. Never throws, never changes what it is given, converts each object once.
 */
export function toSubset(schema: JsonObject, subset: Subset): JsonObject | undefined {
  const known = converted[subset].get(schema);
  if (known !== undefined) return known === "none" ? undefined : known;
  const shown = CONVERT[subset](clipped(schema, DEEPEST) as JsonObject);
  converted[subset].set(schema, shown ?? "none");
  return shown;
}

function clipped(value: Json, levels: number): Json {
  if (typeof value !== "object" || value === null || !isDeeper(value, levels)) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => clipped(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipped(item, levels - 1)]));
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const item of Object.values(value) as readonly Json[]) if (isDeeper(item, levels - 1)) return true;
  return false;
}
