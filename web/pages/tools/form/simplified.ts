import { isObject, type JsonObject, type Json } from "../../../api/json.ts";

/** The alternative of an optional field that gives no value. */
const NOT_SET = { type: "null", title: "not set" };
/** What a field of any type can be in a form. Lists and objects are written as JSON. */
const KINDS = ["string", "number", "boolean"].map((type) => ({ type, title: type }));
const ANY = { anyOf: [NOT_SET, ...KINDS] };

/**
 * Returns a schema that makes a simpler form: a value that may be null is just not given, alternatives are named, one of an optional field is "not set", constants
 * are not asked for, limits are in the descriptions, and a new item of a list has a value that can be sent.
 */
export function simplified(schema: JsonObject): JsonObject {
  return simplify(schema, { isRequired: true });
}

function simplify(schema: JsonObject, place: { readonly isRequired: boolean }): JsonObject {
  return withLimits(withItems(withEntries(withProperties(withAlternatives(schema, place)))));
}

/** Of an object whose entries have any name and value, they are a text, a number, true or false. */
function withEntries(schema: JsonObject): JsonObject {
  const { type, properties = {}, additionalProperties: entries } = schema;
  const isMap =
    entries === undefined ? isEmptyObject(properties) : entries === true || isEmptyObject(entries);
  return type === "object" && isMap
    ? { ...schema, additionalProperties: { anyOf: KINDS, default: "" } }
    : schema;
}

function isEmptyObject(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function withProperties(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const constants = constantsOf(schema);
  const names = (Array.isArray(required) ? required : []).filter((name) => !(String(name) in constants));
  const inner = Object.entries(properties)
    .filter(([name]) => !(name in constants))
    .map(([name, property]) => [
      name,
      isObject(property) ? simplify(typedOf(property), { isRequired: names.includes(name) }) : property,
    ]);
  const fields = Object.fromEntries(inner) as JsonObject;
  return { ...schema, properties: fields, ...(required !== undefined && { required: names }) };
}

/** Returns a schema with a type: of any value, those that a form can have. */
function typedOf(schema: JsonObject): JsonObject {
  const isTyped = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "properties", "items"].some(
    (word) => word in schema,
  );
  return isTyped ? schema : { ...schema, ...ANY };
}

/** Returns the required fields of an object that have one possible value, with it. */
export function constantsOf({ properties, required }: JsonObject): JsonObject {
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  const entries = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) =>
    isObject(property) && property["const"] !== undefined && names.includes(name)
      ? [[name, property["const"]] as const]
      : [],
  );
  return Object.fromEntries(entries);
}

function withItems(schema: JsonObject): JsonObject {
  const { items } = schema;
  if (!isObject(items)) return schema;
  const simple = simplify(items, { isRequired: true });
  const empty = simple["type"] === "string" && !("enum" in simple) ? { default: "" } : {};
  return { ...schema, items: { ...empty, ...simple } };
}

function withAlternatives(schema: JsonObject, { isRequired }: { readonly isRequired: boolean }): JsonObject {
  const { anyOf: any, oneOf: one, ...rest } = schema;
  const all = Array.isArray(any) ? any : one;
  if (!Array.isArray(all)) return schema;
  const others = all.filter(isObject).filter(({ type }) => type !== "null");
  const [only] = others;
  if (others.length === 1 && only !== undefined) return { ...simplify(only, { isRequired }), ...rest };
  const named = others.map((option) => ({
    title: nameOf(option),
    ...simplify(option, { isRequired: true }),
  }));
  const none = isRequired && others.length === all.length ? [] : [NOT_SET];
  return { ...rest, anyOf: [...none, ...named] };
}

/** Returns the name of an alternative: its constants, also those of its fields, or its type. */
function nameOf({ type, enum: values, const: constant, properties }: JsonObject): string {
  if (constant !== undefined) return textOf(constant);
  if (Array.isArray(values)) return values.map(textOf).join(", ");
  const kinds = Object.values(isObject(properties) ? properties : {}).flatMap((property) =>
    isObject(property) && property["const"] !== undefined ? textOf(property["const"]) : [],
  );
  if (kinds.length > 0) return kinds.join(", ");
  return typeof type === "string" ? type : "value";
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Limits of a field, as they are named below it. */
const LIMITS: readonly (readonly [keyword: string, text: (limit: string) => string])[] = [
  ["exclusiveMinimum", (limit) => `more than ${limit}`],
  ["exclusiveMaximum", (limit) => `less than ${limit}`],
  ["multipleOf", (limit) => `a multiple of ${limit}`],
  ["pattern", (limit) => `matches \`${limit}\``],
  ["format", (limit) => limit],
];

/** Limits from one number to another, and what is counted. */
const RANGES = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", "character"],
  ["minItems", "maxItems", "item"],
  ["minProperties", "maxProperties", "entr"],
] as const;

function withLimits(schema: JsonObject): JsonObject {
  const ranges = RANGES.flatMap(([least, most, noun]) => rangeOf(schema[least], schema[most], noun));
  const others = LIMITS.flatMap(([keyword, text]) => {
    const limit = schema[keyword];
    return limit === undefined ? [] : text(textOf(limit));
  });
  const limits = [...ranges, ...others];
  if (limits.length === 0) return schema;
  const { description } = schema;
  const known = typeof description === "string" && description !== "" ? `${description}\n` : "";
  return { ...schema, description: `${known}${limits.join(", ")}` };
}

/** Returns a range in words; none for a text or a list that must only not be empty. */
function rangeOf(least: Json | undefined, most: Json | undefined, noun: string): readonly string[] {
  const from = typeof least === "number" && !(noun !== "" && least <= 1 && most === undefined) ? least : null;
  const to = typeof most === "number" ? most : null;
  const counted = (limit: number): string => {
    if (noun === "") return "";
    const ending = noun === "entr" ? (limit === 1 ? "y" : "ies") : limit === 1 ? "" : "s";
    return ` ${noun}${ending}`;
  };
  if (from !== null && to !== null && !(noun !== "" && from <= 1))
    return [from === to ? `exactly ${to}${counted(to)}` : `${from} to ${to}${counted(to)}`];
  if (to !== null) return [`at most ${to}${counted(to)}`];
  return from === null ? [] : [`at least ${from}${counted(from)}`];
}
