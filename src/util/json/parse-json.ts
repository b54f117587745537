import { isObject, type Json, type JsonObject } from "../../core/json.ts";

/** Parses JSON text; returns undefined if it is not JSON, for callers to whom that is not an error. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** What a parser that supports it passes to a reviver with a primitive value. */
type Reviver = (key: string, value: Json, context: { readonly source?: string }) => Json;

/** An integer of so many digits may be beyond what a number holds. */
const LONG_INTEGER = /(?<![\d.eE])-?\d{16,}(?![\d.eE])/;

/** Parses JSON text as `parseJson`, with integers that a number would change as their text: the ids of some services. */
export function parseExact(text: string): Json | undefined {
  if (!LONG_INTEGER.test(text)) return parseJson(text);
  const keepDigits: Reviver = (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? exactNumber(source) : value;
  try {
    return JSON.parse(text, keepDigits as (key: string, value: Json) => Json) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the number that a text is, or the text of an integer that a number would change. */
export function exactNumber(text: string): number | string {
  const value = Number(text);
  if (!/^-?\d{16,}$/.test(text)) return value;
  const isSame = String(value) === text || BigInt(text) === BigInt(value);
  return isSame && !mayBeRounded(value) ? value : text;
}

/** Returns true for an integer beyond 2^53 with so many digits that a parser of JSON may have rounded it: an id, not 10^18. */
export function mayBeRounded(value: number): boolean {
  if (Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21) return false;
  return String(value).replace(/^-|0+$/g, "").length > MOST_DIGITS;
}

/** Of a random integer of 19 digits, one in 4000 is rounded to one with so few. */
const MOST_DIGITS = 13;

/** JSON that is nested deeper is refused: code that walks it would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

/** Returns true if lists and objects are nested deeper than this. Never overflows the stack. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => isDeeperThan(item, levels - 1));
}

/** JSON text of a call that is nested deeper has no meaning. */
export const MAX_TEXT_DEPTH = 1000;

/** Returns true if the value of a JSON text is nested deeper than a call can need. */
export function isTooDeep(value: Json, text: string): boolean {
  return text.length > MAX_TEXT_DEPTH && isDeeperThan(value, MAX_TEXT_DEPTH);
}

/** Matches JSON text in which a key may be `__proto__`; text that needs a repair may have other escapes. */
export const MAY_HAVE_PROTOTYPE = /__proto__|\\u00/;

/** Returns a value that is a text, and an empty text for any other value. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses a JSON object; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
