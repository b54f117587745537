/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A type alias of an object fits it; an interface does not. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema, draft 2020-12 unless its `$schema` says draft-07. */
export type JsonSchema = JsonObject | boolean;

/** Returns true for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
