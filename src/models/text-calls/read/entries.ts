import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { decodeEntities, type TagForm } from "../scan/tag.ts";
import { words } from "../scan/scan.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import { repairJson } from "../../../util/json/repair-json.ts";
import {
  acceptsContainers,
  accepts,
  containerOf,
  MINIMAX_PREFIX,
  nestedValue,
  propertySchema,
  typedText,
  type Untyped,
} from "../values/typed-text.ts";

/** A parameter in the text: where its value is, and what its tag says about it. */
export interface Entry {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly form: TagForm;
  /** Which line breaks beside the tags are not part of the value: each, both if there are two, or none. */
  readonly breaks: "each" | "both" | "none";
  readonly isText?: boolean | undefined;
  readonly untyped: Untyped;
  /** Whether it is written as a tag of the parameter's own name, which may contain more such tags. */
  readonly isNested?: boolean;
}

/** Builds the input of a call from its parameters. */
export function toInput(
  raw: string,
  entries: readonly Entry[],
  schema: JsonObject | undefined,
  hasEntities: boolean,
): JsonObject {
  const input: Record<string, Json> = {};
  for (const entry of entries) {
    const content = withoutBreaks(raw.slice(entry.from, entry.to), entry.breaks);
    const text = hasEntities ? decodeEntities(withoutCdata(content)) : withoutCdata(content);
    const own = propertySchema(schema, entry.key);
    if (!isLeftOut(text, entry, own, schema)) setOwn(input, entry.key, valueOf(text, entry, own));
  }
  return input;
}

/** Returns whether a value is `null` for an optional parameter that does not accept null: models write this to leave it out. */
function isLeftOut(
  text: string,
  { key, isText }: Entry,
  own: JsonObject | undefined,
  schema?: JsonObject,
): boolean {
  if (own === undefined || isText === true || text.trim() !== "null") return false;
  const required = schema?.["required"];
  return accepts(own, "null") === false && !(Array.isArray(required) && (required as Json[]).includes(key));
}

function valueOf(text: string, entry: Entry, schema: JsonObject | undefined): Json {
  if (entry.isText === true && accepts(schema, "string") !== false) return text;
  if (entry.isText === false) {
    const parsed = repairJson(text);
    return parsed === undefined ? text : parsed.value;
  }
  const nested = mayNest(text, entry, schema) ? nestedValue(text, schema, entry.untyped) : undefined;
  return nested ?? typedText(text, schema, entry.untyped);
}

/** Returns whether markup in a value is nested parameters: only if its tags or the schema say so. */
function mayNest(text: string, { isNested, form }: Entry, schema: JsonObject | undefined): boolean {
  if (isNested !== true) return false;
  if (form !== "minimax") return acceptsContainers(schema);
  const isText = accepts(schema, "array") === false && accepts(schema, "object") === false;
  return text.includes(MINIMAX_PREFIX) && !isText;
}

/** Returns whether the attributes say that a value is text; undefined if they do not say. */
export function isTextOf(attributes: Readonly<Record<string, string>>): boolean | undefined {
  const { string, type } = attributes;
  if (string !== undefined) return string.toLowerCase() === "true";
  return type === undefined ? undefined : /^str/i.test(type);
}

function withoutBreaks(text: string, breaks: Entry["breaks"]): string {
  if (breaks === "none") return text;
  const starts = /^\r?\n/.exec(text)?.[0].length ?? 0;
  const ends = /\r?\n[ \t]*$/.exec(text)?.[0].length ?? 0;
  if (breaks === "both" && (starts === 0 || ends === 0)) return text;
  return text.slice(starts, Math.max(starts, text.length - ends));
}

function withoutCdata(text: string): string {
  const trimmed = text.trim();
  const isCdata = trimmed.startsWith("<![CDATA[") && trimmed.endsWith("]]>");
  return isCdata ? trimmed.slice(9, -3) : text;
}

const WRAPPERS = words("arguments parameters properties input args params kwargs");

/** Unwraps an input that is nested under one extra key, if the tool has no parameter of that name and has all of those inside. */
export function unwrapInput(input: JsonObject, schema: JsonObject | undefined): JsonObject {
  const [[key, value] = ["", null], ...others] = Object.entries(input);
  const properties = schema?.["properties"];
  if (others.length > 0 || !WRAPPERS.has(key) || !isObject(properties) || Object.hasOwn(properties, key))
    return input;
  const inner = typeof value === "string" ? containerOf(value.trim()) : value;
  if (!isObject(inner)) return input;
  const keys = Object.keys(inner);
  return keys.length > 0 && keys.every((inside) => Object.hasOwn(properties, inside)) ? inner : input;
}
