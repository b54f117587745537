import { isObject, type JsonObject, type JsonSchema, type Json } from "../../core/json.ts";
import type { Dialect } from "../shared/types.ts";

/** Returns an equivalent schema that Ajv handles correctly: Ajv skips `__proto__`, refuses an empty enum and applies keywords beside a draft-07 `$ref`. */
export function rewriteForAjv(schema: JsonSchema, dialect: Dialect): JsonSchema {
  return rewrite(schema, dialect === "draft-07", { isRoot: true }) as JsonSchema;
}

const SCHEMA_AT = new Set(
  [
    "additionalProperties additionalItems items contains not if then else propertyNames",
    "unevaluatedItems unevaluatedProperties contentSchema",
  ].flatMap((line) => line.split(" ")),
);

const LIST_AT = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);

const MAP_AT = new Set(
  "properties patternProperties $defs definitions dependentSchemas dependencies".split(" "),
);

/** Keywords that stay beside a draft-07 `$ref`, since definitions can still be referenced. */
const BESIDE_REFERENCE = new Set(["$ref", "$schema", "$defs", "definitions"]);

function rewrite(schema: Json, isOld: boolean, { isRoot = false }: { readonly isRoot?: boolean } = {}): Json {
  if (!isObject(schema)) return schema;
  const isReference = isOld && typeof schema["$ref"] === "string";
  const entries: [string, Json][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const stays =
      !isReference || BESIDE_REFERENCE.has(keyword) || isUnknown(keyword) || (isRoot && keyword === "$id");
    if (stays && keyword !== "id") entries.push([keyword, rewriteKeyword(keyword, value, isOld)]);
  }
  return adapt(Object.fromEntries(entries));
}

/** A reference may lead through an unknown keyword. */
function isUnknown(keyword: string): boolean {
  return !SCHEMA_AT.has(keyword) && !LIST_AT.has(keyword) && !MAP_AT.has(keyword) && !ASSERTIONS.has(keyword);
}

const ASSERTIONS = new Set(
  [
    "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "minLength maxLength pattern format minItems maxItems uniqueItems required",
    "minProperties maxProperties $id nullable",
  ].flatMap((line) => line.split(" ")),
);

function rewriteKeyword(keyword: string, value: Json, isOld: boolean): Json {
  if (Array.isArray(value)) {
    return LIST_AT.has(keyword) ? (value as readonly Json[]).map((item) => rewrite(item, isOld)) : value;
  }
  if (!isObject(value)) return value;
  if (SCHEMA_AT.has(keyword)) return rewrite(value, isOld);
  if (!MAP_AT.has(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewrite(inner, isOld)]));
}

function adapt(schema: JsonObject): JsonObject {
  const { enum: list, properties, nullable, ...rest } = schema;
  const adapted: Record<string, Json> = { ...rest };
  if (nullable !== undefined && schema["type"] !== undefined) adapted["nullable"] = nullable;
  if (list !== undefined) adapted["enum"] = list;
  if (Array.isArray(list) && list.length === 0) {
    delete adapted["enum"];
    adapted["allOf"] = [...((schema["allOf"] as readonly Json[] | undefined) ?? []), false];
  }
  if (properties === undefined) return adapted;
  adapted["properties"] = properties;
  if (!isObject(properties) || !Object.hasOwn(properties, "__proto__")) return adapted;
  const patterns = isObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
  adapted["properties"] = Object.fromEntries(
    Object.entries(properties).filter(([key]) => key !== "__proto__"),
  );
  adapted["patternProperties"] = { ...patterns, "^__proto__$": properties["__proto__"] as Json };
  return adapted;
}
