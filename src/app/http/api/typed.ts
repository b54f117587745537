import type { JsonObject } from "../../../core/json.ts";
import { object, type Schema } from "../../../schema/define/schema.ts";

/** Describes an object of the engine whose type is defined there: these fields at least. `more` are further ones that it always has. */
export function typed<T>(
  description: string,
  fields: Readonly<Record<string, Schema<unknown>>> = {},
  more: readonly string[] = [],
): Schema<T> {
  const { required = [] } = object(fields) as { readonly required?: readonly string[] };
  return { type: "object", description, properties: fields, required: [...required, ...more] };
}

/** Accepts any JSON object. */
export function anyObject(description: string): Schema<JsonObject> {
  return { type: "object", description };
}
