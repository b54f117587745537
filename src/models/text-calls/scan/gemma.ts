import type { Json, JsonObject } from "../../../core/json.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import { parseJson } from "../values/parse-json.ts";
import { scanTo, type Source, type Step } from "./scan.ts";
import { itemSchema, propertySchema, accepts } from "../values/typed-text.ts";

const DELIMITER = /<\|"\|>|<escape>|"/y;
const QUOTES = ['<|"|>', "<escape>"] as const;
const STOP = /[<"{}[\]\\]/g;
const MAX_DEPTH = 100;

/** Skips `{key:value,…}` in Gemma's notation: bare keys, strings between special tokens. Returns false if it is incomplete. */
export function* scanGemma(source: Source): Step<boolean> {
  let depth = 0;
  let quote: string | undefined;
  for (;;) {
    const found = (yield* scanTo(source, STOP))?.[0];
    if (found === undefined) return false;
    const token = found === "<" ? yield* peekQuote(source) : found;
    source.at += token.length;
    if (quote !== undefined) quote = yield* insideQuote(source, quote, token);
    else if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token !== "<" && token !== "\\") quote = token;
    if (depth === 0 && quote === undefined) return true;
  }
}

/** Returns the quote of the string that is still open. A backslash escapes only between `"`. */
function* insideQuote(source: Source, quote: string, token: string): Step<string | undefined> {
  if (token === "\\" && quote === '"') source.at += (yield* source.peek(1)).length;
  return token === quote ? undefined : quote;
}

/** Returns the special token that begins or ends a string, or else "<". */
function* peekQuote(source: Source): Step<string> {
  const text = yield* source.peek(8);
  return QUOTES.find((quote) => text.startsWith(quote)) ?? "<";
}

/** Parses Gemma's notation; undefined if it is something else. A bare word is text if the schema accepts only that. */
export function parseGemma(text: string, schema?: JsonObject): Json | undefined {
  const cursor: Cursor = { text, at: 0 };
  const value = readValue(cursor, schema, 0);
  return cursor.at === text.length ? value : undefined;
}

interface Cursor {
  readonly text: string;
  at: number;
}

type Schema = JsonObject | undefined;

function readValue(cursor: Cursor, schema: Schema, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const string = readString(cursor);
  if (string !== undefined) return string;
  const char = cursor.text[cursor.at];
  if (char === "{") return readObject(cursor, schema, depth);
  if (char === "[") return readList(cursor, schema, depth);
  return readBare(cursor, schema);
}

function readString(cursor: Cursor): string | undefined {
  DELIMITER.lastIndex = cursor.at;
  const quote = DELIMITER.exec(cursor.text)?.[0];
  if (quote === undefined) return undefined;
  if (quote === '"') return readJsonString(cursor);
  const start = cursor.at + quote.length;
  const end = cursor.text.indexOf(quote, start);
  if (end < 0) return undefined;
  cursor.at = end + quote.length;
  return cursor.text.slice(start, end);
}

function readJsonString(cursor: Cursor): string | undefined {
  const written = take(cursor, /"(?:[^"\\]|\\[\s\S])*"/y);
  const parsed = written === undefined ? undefined : parseJson(written);
  return typeof parsed?.value === "string" ? parsed.value : undefined;
}

function readObject(cursor: Cursor, schema: Schema, depth: number): Json | undefined {
  const value: Record<string, Json> = {};
  cursor.at += 1;
  while (!comes(cursor, "}")) {
    const key = readString(cursor) ?? take(cursor, /[^:,{}[\]]+/y)?.trim();
    if (key === undefined || !comes(cursor, ":")) return undefined;
    skip(cursor);
    const item = readValue(cursor, propertySchema(schema, key), depth + 1);
    if (item === undefined) return undefined;
    setOwn(value, key, item);
    if (!comes(cursor, ",") && cursor.text[cursor.at] !== "}") return undefined;
  }
  return value;
}

function readList(cursor: Cursor, schema: Schema, depth: number): Json | undefined {
  const items: Json[] = [];
  cursor.at += 1;
  while (!comes(cursor, "]")) {
    const item = readValue(cursor, itemSchema(schema), depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    if (!comes(cursor, ",") && cursor.text[cursor.at] !== "]") return undefined;
  }
  return items;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readBare(cursor: Cursor, schema: Schema): Json | undefined {
  const text = take(cursor, /[^,{}[\]]+/y)?.trim();
  if (text === undefined || text === "") return undefined;
  const value = wordOf(text);
  const types =
    value === null ? ["null"] : typeof value === "number" ? ["number", "integer"] : [typeof value];
  const isText = accepts(schema, "string") === true && !types.some((type) => accepts(schema, type));
  return isText ? text : value;
}

function wordOf(text: string): string | number | boolean | null {
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (NUMBER.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text === "null" || text === "None" ? null : text;
}

function comes(cursor: Cursor, char: string): boolean {
  skip(cursor);
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at += 1;
  skip(cursor);
  return true;
}

function skip(cursor: Cursor): void {
  take(cursor, /\s+/y);
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  cursor.at += found?.length ?? 0;
  return found;
}
