import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

type Check = (value: Json) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag: Check = (value) => typeof value === "boolean";
const isSchema: Check = (value) => typeof value === "boolean" || isObject(value);
const isList: Check = (value) => Array.isArray(value) && value.length > 0;
const isNames: Check = (value) => Array.isArray(value) && value.every(isText);

/** Every keyword of draft 2020-12 that says something about a value, with the form its own value must have. */
const KEYWORDS: ReadonlyMap<string, Check> = new Map<string, Check>([
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
  ...each(["required"], isNames),
  ...each(["dependentRequired"], (value) => isObject(value) && Object.values(value).every(isNames)),
]);
const TYPES: ReadonlySet<Json> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);

/**
 * One level of a schema as draft 2020-12 would write it: older drafts' and OpenAPI's forms translated, keywords that are
 * unknown or malformed left out. Never throws and never changes what it is given; schemas inside are left as they are.
 */
export function wellFormed(schema: Json | undefined): JsonObject {
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return {};
  const kept: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(translated(schema))) {
    if (keyword === "type") Object.assign(kept, typeOf(value));
    else if (KEYWORDS.get(keyword)?.(value) === true) kept[keyword] = value;
  }
  if (Array.isArray(kept["required"])) {
    const names = [...new Set(kept["required"] as readonly Json[])];
    if (names.length > 0) kept["required"] = names;
    else delete kept["required"];
  }
  return kept;
}

/** The types a well-formed node names; none where it names none. */
export function typesOf(node: JsonObject): readonly string[] {
  const type = node["type"];
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : (type as readonly string[]);
}

function typeOf(type: Json): JsonObject {
  const named = (Array.isArray(type) ? type : [type]) as readonly Json[];
  const known = [...new Set(named.filter((name) => TYPES.has(name)))];
  if (known.length === 0) return {};
  return { type: known.length === 1 ? (known[0] as Json) : known };
}

const OLD_FORMS = ["items", "dependencies", "exclusiveMinimum", "exclusiveMaximum", "nullable", "example"];

function translated(schema: JsonObject): JsonObject {
  if (!OLD_FORMS.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
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

/** Draft-07: a list of schemas under `items`, and `additionalItems` for the rest. */
function fromTuple(schema: JsonObject): JsonObject {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items)) return {};
  return { prefixItems: items, items: additionalItems ?? true };
}

function fromDependencies(dependencies: Json | undefined): JsonObject {
  if (!isObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  return {
    dependentRequired: Object.fromEntries(entries.filter(([, value]) => isNames(value))),
    dependentSchemas: Object.fromEntries(entries.filter(([, value]) => isSchema(value))),
  };
}

/** Draft-04: a flag that says whether the bound beside it belongs to the range. */
function fromExclusive(schema: JsonObject, bound: string, exclusive: string): JsonObject {
  const limit = schema[bound];
  if (schema[exclusive] !== true || limit === undefined) return {};
  return { [exclusive]: limit, [bound]: null };
}

function withNull(type: Json): Json {
  return Array.isArray(type) ? [...(type as readonly Json[]), "null"] : [type, "null"];
}

function each(keywords: readonly string[], check: Check): readonly (readonly [string, Check])[] {
  return keywords.map((keyword) => [keyword, check]);
}
