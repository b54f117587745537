import type { JsonObject } from "../../../core/json.ts";
import { object, type Fields, type Schema } from "../../../schema/define/schema.ts";

/** The fields of a type; of a union, those of each part. */
type FieldOf<T> = T extends unknown ? keyof T & string : never;

/** Describes an object of the engine whose type is defined there: these fields at least. `more` are further ones that it always has. */
export function typed<T>(
  description: string,
  fields: { readonly [F in FieldOf<T>]?: Schema<unknown> } = {},
  more: readonly FieldOf<T>[] = [],
): Schema<T> {
  const { required = [] } = object(fields as Fields) as { readonly required?: readonly string[] };
  const properties = { ...Object.fromEntries(more.map((name) => [name, {}])), ...(fields as Fields) };
  return {
    type: "object",
    description,
    properties,
    required: [...required, ...more],
    additionalProperties: true,
  };
}

/** Accepts any JSON object. */
export function anyObject(description: string): Schema<JsonObject> {
  return { type: "object", description, additionalProperties: true };
}

/** The unit of every time of the API. */
export const at = "milliseconds since 1970";
