import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";

/** The schema of a tool's parameters, or what is wrong with its declaration. */
export type FlatSchema = { readonly schema: JsonObject } | { readonly problem: string };

/**
 * Converts the parameters of an external tool, from the `parameters` value or the whole document around it: either
 * flat (`{ NAME: { type, description, required: true } }`) or JSON Schema, which is passed on. Never throws.
 */
export function fromFlatSchema(schema: unknown): FlatSchema {
  const parameters = isObject(schema) && typeof schema["name"] === "string" ? schema["parameters"] : schema;
  if (parameters === undefined || parameters === null) return { schema: { type: "object", properties: {} } };
  if (!isObject(parameters)) return { problem: `parameters must be an object, not ${kindOf(parameters)}` };
  if (isStandard(parameters)) return fromStandard(parameters);
  for (const [name, parameter] of Object.entries(parameters)) {
    const problem = problemOf(name, parameter);
    if (problem !== undefined) return { problem };
  }
  return { schema: { type: "object", ...fromProperties(parameters, []) } };
}

/** In the flat form every value is an object, so a `type` that is text cannot be a parameter. */
function isStandard(parameters: JsonObject): boolean {
  const { type, properties } = parameters;
  if (typeof type === "string" || Array.isArray(type)) return true;
  if (typeof parameters["$schema"] === "string" || typeof parameters["$ref"] === "string") return true;
  if (["anyOf", "oneOf", "allOf"].some((keyword) => Array.isArray(parameters[keyword]))) return true;
  // A parameter named "properties" contains texts; the keyword contains schemas.
  return (
    isObject(properties) &&
    Object.values(properties).every((each) => isObject(each) || typeof each === "boolean")
  );
}

function fromStandard(schema: JsonObject): FlatSchema {
  const { type } = schema;
  if (type !== undefined && type !== "object")
    return { problem: `parameters must be of type object, not ${JSON.stringify(type)}` };
  return { schema: withoutFlag(schema) };
}

function problemOf(name: string, parameter: Json): string | undefined {
  if (!isObject(parameter)) return `parameter "${name}" must be an object, not ${kindOf(parameter)}`;
  const { required, type } = parameter;
  const isNested = Array.isArray(required);
  if (required !== undefined && typeof required !== "boolean" && !isNested)
    return `parameter "${name}": required must be true or false, not ${kindOf(required)}`;
  if (type !== undefined && typeof type !== "string" && !Array.isArray(type))
    return `parameter "${name}": type must be text, not ${kindOf(type)}`;
  return undefined;
}

/** Returns properties without `required: true`, and the list of those names, after the names already listed. */
function fromProperties(properties: JsonObject, listed: readonly Json[]): JsonObject {
  const entries = Object.entries(properties);
  const flagged = entries.filter(([, schema]) => isObject(schema) && schema["required"] === true);
  const required = [...new Set([...listed, ...flagged.map(([name]) => name)])];
  return {
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name, isObject(schema) ? withoutFlag(schema) : schema]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** Returns a schema without its own `required` flag; objects inside keep their `required` lists. */
function withoutFlag(schema: JsonObject): JsonObject {
  const { required, properties, items, ...rest } = schema;
  const listed = Array.isArray(required) ? (required as readonly Json[]) : [];
  return {
    ...rest,
    ...(isObject(items) ? { items: withoutFlag(items) } : items !== undefined && { items }),
    ...(isObject(properties)
      ? fromProperties(properties, listed)
      : { ...defined({ properties }), ...(listed.length > 0 && { required: listed }) }),
  };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
