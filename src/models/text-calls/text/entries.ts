import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { decodeEntities } from "../values/entities.ts";
import { nestedValue, PREFIX } from "../values/nested-value.ts";
import { setOwn } from "../../../util/json/own.ts";
import { parseJson } from "../values/parse-json.ts";
import type { TagForm } from "./tag.ts";
import type { Untyped } from "../values/typed-text.ts";
import { propertySchema, takes, takesContainers, typedText } from "../values/typed-text.ts";

/** A parameter as it stands in the text: where its value begins and ends, and what its tag says of it. */
export interface Entry {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly form: TagForm;
  /** What the dialect does with line breaks next to the tags: takes each off, or both where there are two. */
  readonly breaks: "each" | "both" | "none";
  readonly isText?: boolean | undefined;
  readonly untyped: Untyped;
  /** Written as a tag of the parameter's own name, which may hold more such tags. */
  readonly isNested?: boolean;
}

/** The input that the entries of a call say. */
export function toInput(
  raw: string,
  entries: readonly Entry[],
  schema: JsonObject | undefined,
  hasEntities: boolean,
): JsonObject {
  const input: Record<string, Json> = {};
  for (const entry of entries) {
    const written = withoutBreaks(raw.slice(entry.from, entry.to), entry.breaks);
    const text = hasEntities ? decodeEntities(withoutCdata(written)) : withoutCdata(written);
    setOwn(input, entry.key, valueOf(text, entry, propertySchema(schema, entry.key)));
  }
  return input;
}

function valueOf(text: string, entry: Entry, schema: JsonObject | undefined): Json {
  if (entry.isText === true && takes(schema, "string") !== false) return text;
  if (entry.isText === false) {
    const parsed = parseJson(text);
    return parsed === undefined ? text : parsed.value;
  }
  const nested = mayNest(text, entry, schema) ? nestedValue(text, schema, entry.untyped) : undefined;
  return nested ?? typedText(text, schema, entry.untyped);
}

/** Markup in a text is a text; it is a value only where its tags say so themselves, or a schema wants no text. */
function mayNest(text: string, { isNested, form }: Entry, schema: JsonObject | undefined): boolean {
  if (isNested !== true) return false;
  if (form !== "minimax") return takesContainers(schema);
  const isText = takes(schema, "array") === false && takes(schema, "object") === false;
  return text.includes(PREFIX) && !isText;
}

/** True for types that JSON writes in its own way; undefined where nothing is said. */
export function isTextOf(attributes: Readonly<Record<string, string>>): boolean | undefined {
  const { string, type } = attributes;
  if (string !== undefined) return string.toLowerCase() === "true";
  return type === undefined ? undefined : /^str/i.test(type);
}

/** An input that was written as one JSON text. */
export function jsonInput(
  text: string,
): { readonly input: JsonObject; readonly repaired: boolean } | undefined {
  const parsed = parseJson(text);
  if (parsed === undefined || !isObject(parsed.value)) return undefined;
  return { input: parsed.value, repaired: parsed.repaired };
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
