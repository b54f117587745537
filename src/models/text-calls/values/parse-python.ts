import type { Json } from "../../../core/json.ts";
import {
  readLiteral,
  readValue,
  Unreadable,
  type Cursor,
  type Notation,
} from "../../../util/json/read-literal.ts";
import { readConstant, toFinite, unescapePython } from "../../../util/json/repair-json.ts";
import { setOwn } from "../../../util/json/set-own.ts";

/** A call in Python notation. */
export interface PythonCall {
  readonly name: string;
  readonly input: Readonly<Record<string, Json>>;
  /** Set if it was broken and could be repaired in only one way. */
  readonly repaired?: true;
}

const NAME = /[\p{L}_][\p{L}\p{N}_.]*/uy;
const NUMBER =
  /(?:0[xX][\dA-Fa-f]+|0[oO][0-7]+|0[bB][01]+|[+-]?(?:(?:0|[1-9][\d_]*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])/y;
const STRING =
  /[rRbBuUfF]?(?:"""(?:[^\\]|\\[^])*?"""(?!")|'''(?:[^\\]|\\[^])*?'''(?!')|"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*')/y;

const NOTATION: Notation<undefined> = {
  space: /(?:\s|#[^\n]*\n)*/y,
  scalar: (cursor, _, isInBrackets) => readScalar(cursor, { isInBrackets }),
  key: (cursor) => {
    const key = readScalar(cursor, { isInBrackets: true });
    if (typeof key === "object") throw new Unreadable();
    return String(key);
  },
  inside: () => undefined,
  maxDepth: 100,
  hasTuples: true,
};

/** Parses one call with named arguments, or a list of them; undefined for anything else. Runs nothing. */
export function parsePythonCalls(text: string): readonly PythonCall[] | undefined {
  return readLiteral(text, NOTATION, readCalls) ?? parseQuoted(text);
}

/** Parses a literal of Python or JSON; undefined for anything else. */
export function parsePythonLiteral(text: string): Json | undefined {
  return readLiteral(text, NOTATION, (cursor) => readValue(cursor, NOTATION, undefined));
}

function readCalls(cursor: Cursor): readonly PythonCall[] {
  const isList = cursor.takes("[");
  const calls: PythonCall[] = [];
  while (isList ? !cursor.takes("]") : !cursor.isAtEnd) {
    calls.push(readCall(cursor));
    if (!cursor.takes(",") && isList && cursor.next !== "]") throw new Unreadable();
  }
  return calls;
}

function readCall(cursor: Cursor): PythonCall {
  const name = readName(cursor);
  cursor.needs("(");
  const input: Record<string, Json> = {};
  while (!cursor.takes(")")) {
    const key = readName(cursor);
    cursor.needs("=");
    if (Object.hasOwn(input, key)) throw new Unreadable();
    setOwn(input, key, readValue(cursor, NOTATION, undefined));
    if (!cursor.takes(",") && cursor.next !== ")") throw new Unreadable();
  }
  return { name, input };
}

function readName(cursor: Cursor): string {
  const name = cursor.match(NAME);
  if (name === undefined) throw new Unreadable();
  cursor.skipSpace();
  return name;
}

function readScalar(cursor: Cursor, { isInBrackets }: { readonly isInBrackets: boolean }): Json {
  const string = readString(cursor);
  if (string !== undefined) return isInBrackets ? string : readJoined(cursor, string);
  const number = cursor.match(NUMBER);
  return number === undefined ? readConstant(cursor) : toFinite(number.replaceAll("_", ""));
}

/** Joins adjacent strings of one argument. Between brackets a comma may be missing instead. */
function readJoined(cursor: Cursor, first: string): string {
  let text = first;
  for (;;) {
    const end = cursor.at;
    cursor.skipSpace();
    const isAdjacent = cursor.at === end;
    const more = readString(cursor);
    if (more === undefined) return text;
    // Quotes inside a text look like this if they are not escaped.
    if (isAdjacent || text === "" || more === "") throw new Unreadable();
    text += more;
  }
}

function readString(cursor: Cursor): string | undefined {
  const literal = cursor.match(STRING);
  if (literal === undefined) return undefined;
  const prefix = /^["']/.test(literal) ? "" : literal.charAt(0).toLowerCase();
  const quoted = literal.slice(prefix.length);
  const quotes = /^("""|''')[^]*\1$/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(quotes, -quotes);
  // A formatted string is a text only if it has no placeholders.
  if (prefix === "f" && /[{}]/.test(inner)) throw new Unreadable();
  return prefix === "r" ? inner : unescapePython(inner);
}

const ONE_TEXT =
  /^\[\s*([\p{L}_][\p{L}\p{N}_.]*)\(\s*([\p{L}_][\p{L}\p{N}_]*)\s*=\s*("{3}|'{3}|"(?!"")|'(?!''))([^]*)\3\s*,?\s*\)\s*\]\s*$/u;

/** Parses one call with one text whose own quotes are not escaped, if nothing in it could begin another argument or call. */
function parseQuoted(text: string): readonly PythonCall[] | undefined {
  const [, name, key, quote = "", inner = ""] = ONE_TEXT.exec(text) ?? [];
  if (name === undefined || key === undefined) return undefined;
  // The end of three quotes whose beginning is damaged.
  if (quote.length === 1 && inner.endsWith(quote + quote)) return undefined;
  if (new RegExp(`${quote}\\s*(?:[,#/]|[\\p{L}_][\\p{L}\\p{N}_]*\\s*=|\\)\\s*,)`, "u").test(inner))
    return undefined;
  return [{ name, input: { [key]: unescapePython(inner) }, repaired: true }];
}
