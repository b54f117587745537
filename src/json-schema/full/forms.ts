import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import type { Dialect } from "../shared/types.ts";

/** The schemas of the first items of a list, and of the others. */
export interface Lists {
  readonly first: readonly JsonSchema[];
  /** For the items after the first ones; undefined allows them. */
  readonly rest: JsonSchema | undefined;
  /** The schema as the quick validator reads it: without `items` if the first items have schemas of their own. */
  readonly bare: JsonObject;
}

/** Returns the schemas of the items, which each edition writes in its own way. */
export function listsOf(schema: JsonObject, dialect: Dialect): Lists {
  const { items, ...others } = schema;
  const [first, rest] =
    dialect === "2020-12" ? [schema["prefixItems"], items] : [items, schema["additionalItems"]];
  if (!Array.isArray(first)) return { first: [], rest: items as JsonSchema | undefined, bare: schema };
  return { first: first as readonly JsonSchema[], rest: rest as JsonSchema | undefined, bare: others };
}

/** Returns what the presence of a property demands: other properties, or that the object fits a schema. */
export function dependentsOf(schema: JsonObject, dialect: Dialect): readonly (readonly [string, Json])[] {
  const newer = dialect === "draft-07" ? [] : ["dependentRequired", "dependentSchemas"];
  return ["dependencies", ...newer].flatMap((keyword) => {
    const map = schema[keyword];
    return isObject(map) ? Object.entries(map) : [];
  });
}

/** Returns a schema without what it asserts, where its vocabulary has no assertions. */
export function withoutAssertions(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ASSERTIONS.has(keyword)));
}

const ASSERTIONS = new Set(
  [
    "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern",
    "minItems maxItems uniqueItems required minProperties maxProperties minContains maxContains dependentRequired",
  ].flatMap((line) => line.split(" ")),
);

/** The types of JSON Schema by the names that they have in Python. */
export const TYPES: Readonly<Record<string, string>> = {
  dict: "object",
  float: "number",
  int: "integer",
  str: "string",
  bool: "boolean",
  list: "array",
  tuple: "array",
  any: "no type",
};
