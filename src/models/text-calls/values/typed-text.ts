import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { parsePythonLiteral } from "./parse-python.ts";

/** What text means where no schema says it: itself, or JSON where it is JSON. */
export type Untyped = "text" | "json";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Untyped text as the type that its schema names. What does not fit stays text, for the engine to answer. */
export function typedText(text: string, schema: JsonObject | undefined, untyped: Untyped): Json {
  const types = schema === undefined ? new Set<string>() : typesOf(schema, schema);
  if (types.size === 0) return untyped === "json" ? fromJson(text) : text;
  const trimmed = text.trim();
  const scalar = toScalar(trimmed, types);
  if (scalar !== undefined) return scalar;
  const container = /^[[{(]/.test(trimmed) ? toContainer(trimmed, types) : undefined;
  return container === undefined ? text : container;
}

function toScalar(text: string, types: ReadonlySet<string>): Json | undefined {
  if (types.has("null") && /^null$/i.test(text)) return null;
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const isNumber = (types.has("integer") || types.has("number")) && NUMBER.test(text);
  return isNumber ? Number(text) : undefined;
}

function toContainer(text: string, types: ReadonlySet<string>): Json | undefined {
  if (!types.has("object") && !types.has("array")) return undefined;
  const value = containerOf(text);
  const isMeant = Array.isArray(value) ? types.has("array") : isObject(value) && types.has("object");
  return isMeant ? value : undefined;
}

/** What a list or an object says that is written as JSON, as JSON that was escaped once too often, or as Python. */
export function containerOf(text: string): Json | undefined {
  return parseJson(text) ?? parseEscaped(text) ?? parsePythonLiteral(text);
}

function parseEscaped(text: string): Json | undefined {
  if (!text.includes(String.raw`\"`)) return undefined;
  const once = parseJson(`"${text}"`);
  return typeof once === "string" ? parseJson(once) : undefined;
}

/** The schema of a property, with references followed inside the schema they stand in. */
export function propertySchema(
  schema: JsonObject | undefined,
  key: string,
  depth = 0,
): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const whole = follow(schema, schema);
  const { properties, additionalProperties } = whole;
  const own = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  if (isObject(own)) return { ...pickDefinitions(schema), ...follow(own, schema) };
  if (depth >= 8) return undefined;
  for (const choice of choicesOf(whole)) {
    const found = propertySchema({ ...pickDefinitions(schema), ...choice }, key, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function choicesOf({ anyOf, oneOf, allOf }: JsonObject): readonly JsonObject[] {
  return [anyOf, oneOf, allOf].flatMap((list) =>
    Array.isArray(list) ? (list as Json[]).filter((choice) => isObject(choice)) : [],
  );
}

/** The schema of a list's items. */
export function itemSchema(schema: JsonObject | undefined): JsonObject | undefined {
  const items = schema?.["items"];
  if (schema === undefined || !isObject(items)) return undefined;
  return { ...pickDefinitions(schema), ...follow(items, schema) };
}

/** True where the schema takes values of this type; undefined where it names no types. */
export function takes(schema: JsonObject | undefined, type: string): boolean | undefined {
  const types = schema === undefined ? undefined : typesOf(schema, schema);
  return types === undefined || types.size === 0 ? undefined : types.has(type);
}

/** True where the schema takes lists or objects, and no text. */
export function takesContainers(schema: JsonObject | undefined): boolean {
  return (
    (takes(schema, "array") === true || takes(schema, "object") === true) && takes(schema, "string") === false
  );
}

function fromJson(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);

function pickDefinitions(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => DEFINITIONS.has(key)));
}

function follow(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/") || depth > 8) return schema;
  let found: Json | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isObject(found) ? follow(found, root, depth + 1) : schema;
}

/** The types that a schema names; none where it takes anything. */
function typesOf(schema: JsonObject, root: JsonObject, depth = 0): ReadonlySet<string> {
  const whole = follow(schema, root);
  const { type, enum: values, const: value } = whole;
  const inner = choicesOf(whole).flatMap((choice) =>
    depth < 8 ? [...typesOf(choice, root, depth + 1)] : [],
  );
  const listed = (Array.isArray(values) ? (values as Json[]) : []).concat(value ?? []);
  const named = [type ?? []].flat().flatMap((name) => (typeof name === "string" ? [name.toLowerCase()] : []));
  return new Set([...named, ...inner, ...(named.length === 0 ? listed.map(typeName) : [])]);
}

function typeName(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
