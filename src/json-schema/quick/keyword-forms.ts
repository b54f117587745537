import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { typesFromKeyword } from "../shared/json-value.ts";

/** Returns true if a keyword of the quick validator has the form it must have. Other keywords are annotations. */
export function isWellFormed(keyword: string, value: Json): boolean {
  return FORMS.get(keyword)?.(value) ?? true;
}

type Form = (value: Json) => boolean;

const isNumber: Form = (value) => typeof value === "number";
const isCount: Form = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isText: Form = (value) => typeof value === "string";
const isSchema: Form = (value) => isObject(value) || typeof value === "boolean";
const isSchemaList: Form = (value) => Array.isArray(value) && value.length > 0;
const areNames: Form = (value) => Array.isArray(value) && value.every((name) => typeof name === "string");

const FORMS: ReadonlyMap<string, Form> = new Map([
  ["type", (value: Json) => typesFromKeyword(value) !== undefined],
  ["multipleOf", (value: Json) => typeof value === "number" && value > 0],
  ["uniqueItems", (value: Json) => typeof value === "boolean"],
  ["enum", (value: Json) => Array.isArray(value)],
  ["required", areNames],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name) => [name, isNumber] as const),
  ...["minLength", "maxLength", "minItems", "maxItems"].map((name) => [name, isCount] as const),
  ...["minProperties", "maxProperties"].map((name) => [name, isCount] as const),
  ...["pattern", "format", "$ref", "$id"].map((name) => [name, isText] as const),
  ...["items", "additionalProperties", "propertyNames", "not"].map((name) => [name, isSchema] as const),
  ...["allOf", "anyOf", "oneOf"].map((name) => [name, isSchemaList] as const),
  ...["properties", "patternProperties", "$defs", "definitions"].map((name) => [name, isObject] as const),
]);

/** Returns the number under a keyword; one of another form was already reported. */
export function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}
