import type { Json } from "../../core/json.ts";
import { MAX_TEXT_DEPTH, exactNumber, isTooDeep, parseExact } from "./parse-json.ts";
import { readLiteral, readValue, Unreadable, type Cursor, type Notation } from "./read-literal.ts";

/** A parsed value, and whether its text had to be repaired. */
export interface RepairedJson {
  readonly value: Json;
  readonly repaired: boolean;
}

/**
 * Parses JSON as models write it; undefined if more than one meaning is possible. An integer that a number would change is its text. Repairs only this: line breaks and unknown escapes
 * in strings, single quotes, Python's True, False and None, comments, unquoted keys, a comma too many at the end of a list or object,
 * a missing comma before a quoted key, and brackets missing at the end if the caller knows that the text was not cut off.
 */
export function repairJson(
  text: string,
  { isWhole = true }: { readonly isWhole?: boolean } = {},
): RepairedJson | undefined {
  const value = parseExact(text);
  if (value !== undefined) return isTooDeep(value, text) ? undefined : { value, repaired: false };
  const notation = isWhole ? COMPLETED : NOTATION;
  const literal = readLiteral(text, notation, (cursor) => readValue(cursor, notation, undefined));
  return literal === undefined ? undefined : { value: literal, repaired: true };
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

const NOTATION: Notation<undefined> = {
  // A comment ends with its line: one that runs to the end of the text may be a part of a broken string.
  space: /(?:\s|(?:\/\/|#)[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y,
  scalar: (cursor) => readQuoted(cursor) ?? readNumber(cursor) ?? readConstant(cursor),
  key: (cursor) => readQuoted(cursor) ?? readWord(cursor) ?? unreadable(),
  inside: () => undefined,
  maxDepth: MAX_TEXT_DEPTH,
  mayLackCommas: true,
};
const COMPLETED: Notation<undefined> = { ...NOTATION, mayLackEnd: true };

/** Reads `true`, `null`, `None` and the like. */
export function readConstant(cursor: Cursor): Json {
  const value = WORDS.get(readWord(cursor) ?? "");
  return value === undefined ? unreadable() : value;
}

function readWord(cursor: Cursor): string | undefined {
  return cursor.match(/[\p{L}_$][\p{L}\p{N}_$-]*/uy);
}

function readNumber(cursor: Cursor): Json | undefined {
  const number = cursor.match(NUMBER);
  if (number === undefined) return undefined;
  const value = exactNumber(number);
  return typeof value === "string" ? value : toFinite(number);
}

/** Converts the text of a number. Throws `Unreadable` if it is too large. */
export function toFinite(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : unreadable();
}

const DOUBLE = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const SINGLE = /'[^'\\]*(?:\\[^][^'\\]*)*'/y;

/** Reads a string in either kind of quotes; undefined if there is none. */
export function readQuoted(cursor: Cursor): string | undefined {
  const double = cursor.match(DOUBLE);
  if (double !== undefined) return unescape(double.slice(1, -1), JSON_ESCAPES, "u");
  const single = cursor.match(SINGLE);
  return single === undefined ? undefined : unescapePython(single.slice(1, -1));
}

/** Replaces the escapes of Python. */
export function unescapePython(text: string): string {
  return unescape(text, PYTHON_ESCAPES, "xuU");
}

const COMMON = { '"': '"', "'": "'", "\\": "\\", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const JSON_ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ ...COMMON, "/": "/" }));
const PYTHON_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...COMMON, v: "\v", a: "\u0007", "0": "\0", "\n": "" }),
);

/** Leaves escapes that the notation does not have as they are written. */
function unescape(text: string, escapes: ReadonlyMap<string, string>, codes: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(
    /\\(?:(x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})|([^]))/g,
    (whole, code: string | undefined, char: string) => {
      if (code === undefined) return escapes.get(char) ?? whole;
      return codes.includes(code.charAt(0)) ? toCharacter(code) : whole;
    },
  );
}

function toCharacter(code: string): string {
  const point = Number.parseInt(code.slice(1), 16);
  return point > 0x10ffff ? unreadable() : String.fromCodePoint(point);
}

function unreadable(): never {
  throw new Unreadable();
}
