import type { Json, JsonObject } from "../core/json.ts";
import type { Schema } from "./define/schema.ts";
import { createValidator } from "./validate.ts";

export const TEXT: JsonObject = { type: "string" };
export const NUMBER: JsonObject = { type: "number" };
export const LIST: JsonObject = { type: "array" };

/** Returns the schema of an object that has these fields; other fields are allowed, so that newer versions can add them. */
export function withFields(fields: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: "object", properties: fields, required: Object.keys(fields) };
}

/** Creates a reader of stored documents: it returns a document that matches the schema, and undefined for any other value. */
export function createDocumentReader<T>(schema: Schema<T>): (value: Json | undefined) => T | undefined {
  const validator = createValidator(schema, { coerce: false, defaults: false });
  return (value) => (value !== undefined && validator.check(value).ok ? (value as unknown as T) : undefined);
}
