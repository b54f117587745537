import { isObject, type Json, type JsonObject } from "../../core/json.ts";

type Check = (value: Json) => boolean;
type Read = (value: Json) => Json | undefined;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag: Check = (value) => typeof value === "boolean";
const isSchema: Check = (value) => typeof value === "boolean" || isObject(value);
const isList: Check = (value) => Array.isArray(value) && value.length > 0;
const isNames: Check = (value) => Array.isArray(value) && value.every(isText);

/** Every keyword of draft 2020-12 about values, with a function that reads the keyword's own value. */
const VALUES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["type", typeOf],
  ["required", namesOf],
  ...each(
    ["$ref", "title", "description", "format", "pattern", "contentEncoding", "contentMediaType"],
    isText,
  ),
  ...each(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], isNumber),
  ...each(["multipleOf"], (value) => isNumber(value) && (value as number) > 0),
  ...each(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], isCount),
  ...each(["minContains", "maxContains"], isCount),
  ...each(["uniqueItems", "deprecated", "readOnly", "writeOnly"], isFlag),
  ...each(["const", "default"], () => true),
  ...each(["enum", "examples", "anyOf", "oneOf", "allOf", "prefixItems"], isList),
  ...each(
    ["items", "additionalProperties", "propertyNames", "not", "contains", "if", "then", "else"],
    isSchema,
  ),
  ...each(["unevaluatedItems", "unevaluatedProperties"], isSchema),
  ...each(["properties", "patternProperties", "dependentSchemas"], isObject),
  ...each(["dependentRequired"], (value) => isObject(value) && Object.values(value).every(isNames)),
]);
const TYPES: ReadonlySet<Json> = new Set("string number integer boolean object array null".split(" "));

/**
 * Returns one level of a schema in draft 2020-12: translates the forms of older drafts and OpenAPI, and drops unknown and
 * malformed keywords. Never throws and never changes its argument; nested schemas stay as they are.
 */
export function normalize(schema: Json | undefined): JsonObject {
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return {};
  const normalized: Record<string, Json> = {};
  const source = isOld(schema) ? translated(schema) : schema;
  for (const keyword of Object.keys(source)) {
    const value = VALUES.get(keyword)?.(source[keyword] as Json);
    if (value !== undefined) normalized[keyword] = value;
  }
  return normalized;
}

/** Returns the types that a normalized node names. */
export function typesOf(node: JsonObject): readonly string[] {
  const type = node["type"];
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : (type as readonly string[]);
}

function typeOf(type: Json): Json | undefined {
  if (!Array.isArray(type)) return TYPES.has(type) ? type : undefined;
  const known = [...new Set((type as readonly Json[]).filter((name) => TYPES.has(name)))];
  return known.length > 1 ? known : known[0];
}

function namesOf(required: Json): Json | undefined {
  if (!isNames(required)) return undefined;
  const names = [...new Set(required as readonly string[])];
  return names.length === 0 ? undefined : names;
}

function isOld(schema: JsonObject): boolean {
  const isExclusive = schema["exclusiveMinimum"] === true || schema["exclusiveMaximum"] === true;
  const isOpenApi = schema["nullable"] === true || schema["example"] !== undefined;
  return isExclusive || isOpenApi || Array.isArray(schema["items"]) || schema["dependencies"] !== undefined;
}

function translated(schema: JsonObject): JsonObject {
  return {
    ...schema,
    ...fromTuple(schema),
    ...fromDependencies(schema["dependencies"]),
    ...fromExclusive(schema, "minimum", "exclusiveMinimum"),
    ...fromExclusive(schema, "maximum", "exclusiveMaximum"),
    ...(schema["nullable"] === true && schema["type"] !== undefined && { type: withNull(schema["type"]) }),
    ...(schema["example"] !== undefined &&
      schema["examples"] === undefined && { examples: [schema["example"]] }),
  };
}

/** Translates draft-07: a list of schemas under `items`, and `additionalItems` for the rest. */
function fromTuple(schema: JsonObject): JsonObject {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items)) return {};
  return { prefixItems: items, items: additionalItems ?? true };
}

function fromDependencies(dependencies: Json | undefined): JsonObject {
  if (!isObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, value]) => isNames(value));
  const schemas = entries.filter(([, value]) => isSchema(value));
  return {
    ...(names.length > 0 && { dependentRequired: Object.fromEntries(names) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** Translates draft-04: a flag that excludes the limit beside it. */
function fromExclusive(schema: JsonObject, limitKeyword: string, exclusive: string): JsonObject {
  const limit = schema[limitKeyword];
  if (schema[exclusive] !== true || limit === undefined) return {};
  return { [exclusive]: limit, [limitKeyword]: null };
}

function withNull(type: Json): Json {
  return Array.isArray(type) ? [...(type as readonly Json[]), "null"] : [type, "null"];
}

function each(keywords: readonly string[], check: Check): readonly (readonly [string, Read])[] {
  return keywords.map((keyword) => [keyword, (value) => (check(value) ? value : undefined)]);
}
