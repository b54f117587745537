import type { Json } from "../../../core/json.ts";
import { setOwn } from "../../../util/json/set-own.ts";

/** A call in Python notation. */
export interface PythonCall {
  readonly name: string;
  readonly input: Readonly<Record<string, Json>>;
  /** Set if it was broken and could be repaired in only one way. */
  readonly repaired?: true;
}

const MAX_DEPTH = 100;
const NAME = /[A-Za-z_][\w.]*/y;
const NUMBER = /0[xX][\dA-Fa-f]+|0[oO][0-7]+|0[bB][01]+|[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const SPACE = /(?:\s|#[^\n]*\n)*/y;
const WORDS: Readonly<Record<string, Json>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\u0007",
  "0": "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

/** Parses one call with named arguments, or a list of them; undefined for anything else. Runs nothing. */
export function parsePythonCalls(text: string): readonly PythonCall[] | undefined {
  return parseCalls(text) ?? parseQuoted(text);
}

function parseCalls(text: string): readonly PythonCall[] | undefined {
  return attempt(text, (cursor) => {
    cursor.match(SPACE);
    const closer = cursor.takes("[") ? "]" : undefined;
    const calls: PythonCall[] = [];
    for (;;) {
      const isOver = closer === undefined ? cursor.isAtEnd : cursor.takes(closer);
      if (isOver) return calls;
      calls.push(readCall(cursor));
      cursor.takes(",");
    }
  });
}

const ONE_TEXT = /^\[\s*([A-Za-z_][\w.]*)\(\s*([A-Za-z_]\w*)\s*=\s*(["'])([\s\S]*)\3\s*,?\s*\)\s*\]\s*$/;

/** Parses one call with one text whose own quotes are not escaped, if nothing in it could begin another argument or call. */
function parseQuoted(text: string): readonly PythonCall[] | undefined {
  const [, name, key, quote = "", inner = ""] = ONE_TEXT.exec(text) ?? [];
  if (name === undefined || key === undefined) return undefined;
  if (new RegExp(`${quote}\\s*(?:,\\s*[A-Za-z_]\\w*\\s*=|\\)\\s*,)`).test(inner)) return undefined;
  const read = attempt(inner, (cursor) => readText(cursor, () => cursor.isAtEnd, false));
  return read === undefined ? undefined : [{ name, input: { [key]: read }, repaired: true }];
}

/** Parses a literal of Python or JSON; undefined for anything else. */
export function parsePythonLiteral(text: string): Json | undefined {
  return attempt(text, (cursor) => {
    cursor.match(SPACE);
    return readValue(cursor, 0);
  });
}

class Unreadable extends Error {}

class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  /** Takes this character and the white space after it, if it is next. */
  takes(char: string): boolean {
    if (!this.text.startsWith(char, this.at)) return false;
    this.at += char.length;
    this.match(SPACE);
    return true;
  }

  needs(char: string): void {
    if (!this.takes(char)) throw new Unreadable();
  }
}

function attempt<T>(text: string, read: (cursor: Cursor) => T): T | undefined {
  try {
    const cursor = new Cursor(text);
    const value = read(cursor);
    return cursor.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function readCall(cursor: Cursor): PythonCall {
  const name = cursor.match(NAME);
  cursor.match(SPACE);
  if (name === undefined) throw new Unreadable();
  cursor.needs("(");
  const input: Record<string, Json> = {};
  while (!cursor.takes(")")) {
    const key = cursor.match(NAME);
    cursor.match(SPACE);
    if (key === undefined) throw new Unreadable();
    cursor.needs("=");
    setOwn(input, key, readValue(cursor, 0));
    if (!cursor.takes(",") && !cursor.text.startsWith(")", cursor.at)) throw new Unreadable();
  }
  return { name, input };
}

function readValue(cursor: Cursor, depth: number): Json {
  if (depth > MAX_DEPTH) throw new Unreadable();
  if (cursor.takes("[")) return readList(cursor, "]", depth);
  if (cursor.takes("(")) return readList(cursor, ")", depth);
  if (cursor.takes("{")) return readObject(cursor, depth);
  const value = readScalar(cursor);
  cursor.match(SPACE);
  return value;
}

function readList(cursor: Cursor, closer: string, depth: number): Json {
  const items: Json[] = [];
  while (!cursor.takes(closer)) {
    items.push(readValue(cursor, depth + 1));
    if (!cursor.takes(",") && !cursor.text.startsWith(closer, cursor.at)) throw new Unreadable();
  }
  return items;
}

function readObject(cursor: Cursor, depth: number): Json {
  const value: Record<string, Json> = {};
  const start = cursor.at;
  while (!cursor.takes("}")) {
    const key = readScalar(cursor);
    cursor.match(SPACE);
    if (typeof key === "object") throw new Unreadable();
    if (cursor.text[cursor.at] === "," && Object.keys(value).length === 0) {
      // A set becomes a list.
      cursor.at = start;
      return readList(cursor, "}", depth);
    }
    cursor.needs(":");
    setOwn(value, String(key), readValue(cursor, depth + 1));
    if (!cursor.takes(",") && !cursor.text.startsWith("}", cursor.at)) throw new Unreadable();
  }
  return value;
}

function readScalar(cursor: Cursor): Json {
  const char = cursor.text[cursor.at];
  if (char === '"' || char === "'") return readStrings(cursor);
  const number = cursor.match(NUMBER);
  if (number !== undefined) return toNumber(number);
  const word = cursor.match(NAME) ?? "";
  if (/^[rRbBuUfF]$/.test(word) && /["']/.test(cursor.text[cursor.at] ?? ""))
    return readStrings(cursor, word);
  if (!Object.hasOwn(WORDS, word)) throw new Unreadable();
  return WORDS[word] ?? null;
}

function toNumber(text: string): number {
  const value = Number(text.replaceAll("_", ""));
  if (!Number.isFinite(value)) throw new Unreadable();
  return value;
}

/** Joins adjacent strings. */
function readStrings(cursor: Cursor, prefix = ""): string {
  let text = "";
  for (let quote = cursor.text[cursor.at]; quote === '"' || quote === "'"; quote = cursor.text[cursor.at]) {
    text += readString(cursor, quote, prefix.toLowerCase() === "r");
    cursor.match(SPACE);
  }
  // A formatted string is a text only if it has no placeholders.
  if (prefix.toLowerCase() === "f" && /[{}]/.test(text)) throw new Unreadable();
  return text;
}

function readString(cursor: Cursor, quote: string, isRaw: boolean): string {
  const triple = quote.repeat(3);
  const end = cursor.text.startsWith(triple, cursor.at) ? triple : quote;
  cursor.at += end.length;
  const text = readText(cursor, () => cursor.text.startsWith(end, cursor.at), isRaw);
  cursor.at += end.length;
  return text;
}

function readText(cursor: Cursor, isOver: () => boolean, isRaw: boolean): string {
  let text = "";
  while (!isOver()) {
    const char = cursor.text[cursor.at];
    if (char === undefined) throw new Unreadable();
    cursor.at += 1;
    text += char === "\\" ? readEscape(cursor, isRaw) : char;
  }
  return text;
}

const CODE = /x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}/y;

/** Leaves an escape that Python does not have as it is written. */
function readEscape(cursor: Cursor, isRaw: boolean): string {
  const char = cursor.text[cursor.at] ?? "";
  if (isRaw) {
    cursor.at += char.length;
    return `\\${char}`;
  }
  const code = cursor.match(CODE);
  if (code !== undefined) return toCharacter(Number.parseInt(code.slice(1), 16));
  cursor.at += char.length;
  return Object.hasOwn(ESCAPES, char) ? (ESCAPES[char] ?? "") : `\\${char}`;
}

function toCharacter(code: number): string {
  if (code > 0x10ffff) throw new Unreadable();
  return String.fromCodePoint(code);
}
