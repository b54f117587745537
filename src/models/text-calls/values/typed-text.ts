import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { resolveLocal } from "../../../json-schema/shared/pointer.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import { parsePythonLiteral } from "./parse-python.ts";

/** How text without a schema is read: as it is, or as JSON if it is JSON. */
export type Untyped = "text" | "json";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Converts text to the type that its schema names. Text that does not fit stays text, and the engine rejects it. */
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

/** Parses a list or object written as JSON, as JSON that is escaped twice, or as Python. */
export function containerOf(text: string): Json | undefined {
  return parseJson(text) ?? parseEscaped(text) ?? parsePythonLiteral(text);
}

function parseEscaped(text: string): Json | undefined {
  if (!text.includes(String.raw`\"`)) return undefined;
  const once = parseJson(`"${text}"`);
  return typeof once === "string" ? parseJson(once) : undefined;
}

/** Returns the schema of a property, with local references resolved. */
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
    const choiceSchema = propertySchema({ ...pickDefinitions(schema), ...choice }, key, depth + 1);
    if (choiceSchema !== undefined) return choiceSchema;
  }
  return undefined;
}

function choicesOf({ anyOf, oneOf, allOf }: JsonObject): readonly JsonObject[] {
  return [anyOf, oneOf, allOf].flatMap((list) =>
    Array.isArray(list) ? (list as Json[]).filter((choice) => isObject(choice)) : [],
  );
}

/** Returns the schema of a list's items. */
export function itemSchema(schema: JsonObject | undefined): JsonObject | undefined {
  const items = schema?.["items"];
  if (schema === undefined || !isObject(items)) return undefined;
  return { ...pickDefinitions(schema), ...follow(items, schema) };
}

/** Returns whether the schema accepts values of this type; undefined if it names no types. */
export function accepts(schema: JsonObject | undefined, type: string): boolean | undefined {
  const types = schema === undefined ? undefined : typesOf(schema, schema);
  return types === undefined || types.size === 0 ? undefined : types.has(type);
}

/** Returns whether the schema accepts lists or objects but no text. */
export function acceptsContainers(schema: JsonObject | undefined): boolean {
  return (
    (accepts(schema, "array") === true || accepts(schema, "object") === true) &&
    accepts(schema, "string") === false
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
  if (typeof reference !== "string" || depth > 8) return schema;
  const resolved = resolveLocal(root, reference);
  return isObject(resolved) ? follow(resolved, root, depth + 1) : schema;
}

/** Returns the types that a schema names; none if it accepts anything. */
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

/** Returns the name of a value's type in a schema. */
export function typeName(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Precedes every tag of MiniMax M3. */
export const MINIMAX_PREFIX = "]<]minimax[>[";
const OPENING = /\s*<([A-Za-z_][\w.-]*)>/y;
const MAX_DEPTH = 32;

/** Reads a value written as nested tags: an object by its keys, a list by its items. Returns undefined for plain text. */
export function nestedValue(
  text: string,
  schema: JsonObject | undefined,
  untyped: Untyped,
  depth = 0,
): Json | undefined {
  const children = depth > MAX_DEPTH ? undefined : childrenOf(text.replaceAll(MINIMAX_PREFIX, ""));
  if (children === undefined) return undefined;
  const read = (inner: string, own: JsonObject | undefined): Json =>
    nestedValue(inner, own, untyped, depth + 1) ?? typedText(inner, own, untyped);
  const areItems = children.every(([key]) => key === "item");
  const isList = accepts(schema, "array") ?? areItems;
  if (isList && (areItems || accepts(schema, "object") !== true))
    return children.map(([, inner]) => read(inner, itemSchema(schema)));
  const value: Record<string, Json> = {};
  for (const [key, inner] of children) setOwn(value, key, read(inner, propertySchema(schema, key)));
  return value;
}

/** Returns the elements of a text; undefined if there is anything between them. */
function childrenOf(text: string): readonly (readonly [string, string])[] | undefined {
  const children: [string, string][] = [];
  let at = 0;
  const length = text.trimEnd().length;
  while (at < length) {
    OPENING.lastIndex = at;
    const [whole, name = ""] = OPENING.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const start = at + whole.length;
    const end = closingOf(text, name, start);
    if (end === undefined) return undefined;
    children.push([name, text.slice(start, end)]);
    at = end + name.length + 3;
  }
  return children.length === 0 ? undefined : children;
}

/** Returns where the element that began before `start` is closed, counting nested elements of the same name. */
function closingOf(text: string, name: string, start: number): number | undefined {
  const tags = new RegExp(`<(/?)${name.replaceAll(".", String.raw`\.`)}>`, "g");
  tags.lastIndex = start;
  let depth = 1;
  for (let tagMatch = tags.exec(text); tagMatch !== null; tagMatch = tags.exec(text)) {
    depth += tagMatch[1] === "/" ? -1 : 1;
    if (depth === 0) return tagMatch.index;
  }
  return undefined;
}
