import { BACKSLASH, BACKTICK, isCall, isDigit, isInName, isQuote, isSpace, QUOTE } from "./characters.ts";
import type { Range } from "./ranges.ts";
import { kindOf, type Kind } from "./names.ts";
import { closing, lineEnd, MAX_VALUE, valueStart } from "./value-ends.ts";
import { isSecretValue, type ValueContext } from "./values.ts";

const EQUALS = 61;
const COLON = 58;
const GREATER = 62;
const QUESTION = 63;
const EXCLAMATION = 33;
const SLASH = 47;
const BRACKET = 93;
const MAX_SPACES = 24;
const MAX_NAME = 64;
const MAX_LINE_DIGITS = 8;

/** The last three letters of the names that are looked at, in any case; most names end otherwise. */
const ENDINGS = new Uint8Array(1 << 15);
/** The last two of them. */
const PAIRS = new Uint8Array(1 << 10);
for (const ending of "ord swd pwd ase ort ret ken ial als key jwt ion rer ass uth pin alt _sk dsn kie ies sid ook url eed _pw sig ure lue".split(
  " ",
)) {
  ENDINGS[endingAt(ending, 2)] = 1;
  PAIRS[endingAt(ending, 2) & 1023] = 1;
}
// Quotes, backslashes and brackets after a name.
for (const sign of [BACKTICK, BACKSLASH, BRACKET]) {
  for (let before = sign & 31; before < ENDINGS.length; before += 32) {
    ENDINGS[before] = 1;
    PAIRS[before & 1023] = 1;
  }
}

/** The low five bits of a letter are the same in both cases; those of a digit are those of some letter. */
function endingAt(text: string, at: number): number {
  return (
    ((text.charCodeAt(at - 2) & 31) << 10) |
    ((text.charCodeAt(at - 1) & 31) << 5) |
    (text.charCodeAt(at) & 31)
  );
}

/** Returns whether the name of a secret, perhaps with a number, or something else than a name ends at a place. */
function mayEnd(text: string, at: number, code: number): boolean {
  if (code > 64)
    return (
      PAIRS[((text.charCodeAt(at - 1) & 31) << 5) | (code & 31)] === 1 && ENDINGS[endingAt(text, at)] === 1
    );
  if (!isDigit(code)) return true;
  const before = isDigit(text.charCodeAt(at - 1)) ? at - 2 : at - 1;
  // Times and places, `10:30` and `a.ts 12:3`, are more common than numbered names.
  return text.charCodeAt(before) > 64 && ENDINGS[endingAt(text, before)] === 1;
}

/** A text in which assignments are searched for, and where it was read up to: what was read for one name is not read again for the next one. */
interface Search {
  readonly text: string;
  readonly ranges: Range[];
  cookies: Range;
  bare: Range;
  variable: Range;
}

const NOTHING: Range = [0, 0];

/**
 * Adds the places of values after the name of a secret and a colon: `"name": "value"`, `Name: value`. A search for one character is
 * native; the letters before it rule out most names.
 */
export function findAfterColons(text: string, ranges: Range[]): void {
  const search = searchIn(text, ranges);
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let last = at - 1;
    let code = text.charCodeAt(last);
    if (code === QUOTE) code = text.charCodeAt((last -= 1));
    if (mayEnd(text, last, code)) afterColon(search, at);
  }
}

/** Adds the places of values beside the name of a secret after other signs: `NAME=value`, `<name>value<`. */
export function findAfterSigns(text: string, ranges: Range[]): void {
  const search = searchIn(text, ranges);
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1))
    if (mayEnd(text, at - 1, text.charCodeAt(at - 1))) afterEquals(search, at);
  for (let at = text.indexOf("</"); at >= 0; at = text.indexOf("</", at + 2)) element(search, at);
}

function searchIn(text: string, ranges: Range[]): Search {
  return { text, ranges, cookies: NOTHING, bare: NOTHING, variable: NOTHING };
}

function afterColon(search: Search, at: number): void {
  const { text } = search;
  const after = text.charCodeAt(at + 1);
  if (after === SLASH || after === EQUALS || after === COLON || text.charCodeAt(at - 1) === COLON) return;
  if (isDigit(after) && isLineNumber(text, at + 1)) return;
  assignment(search, at, at - 1);
}

/** `certs/server.key:12:` is a place, as `grep` prints it. */
function isLineNumber(text: string, from: number): boolean {
  let at = from;
  while (at < from + MAX_LINE_DIGITS && isDigit(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

function afterEquals(search: Search, at: number): void {
  const { text } = search;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at + 1);
  if (after === GREATER) assignment(search, at + 1, at - 1);
  if (after === EQUALS || after === GREATER || before === EQUALS || before === EXCLAMATION) return;
  assignment(search, at, before === COLON || before === QUESTION ? at - 2 : at - 1);
}

function assignment(search: Search, at: number, end: number): void {
  const { text } = search;
  const last = nameEnd(text, end);
  if (
    last < 2 ||
    !(isDigit(text.charCodeAt(last)) || text.charCodeAt(last) > 64) ||
    !mayEnd(text, last, text.charCodeAt(last))
  )
    return;
  if (isOrdinary(text, last)) return;
  const named = nameBefore(text, last + 1);
  const name = named === "value" ? keyBefore(text, last - named.length + 1) : named;
  const kind = kindOf(name);
  if (kind === undefined) return;
  addValue(search, at + 1, { name, kind, isDirect: last === at - 1 && text.charCodeAt(at) === EQUALS });
}

/** Most addresses are no `hookUrl`, and most values are no attribute after the key of a secret. */
function isOrdinary(text: string, last: number): boolean {
  const code = text.charCodeAt(last) | 32;
  if (code === 108) return (text.charCodeAt(last - 1) | 32) === 114 && !HOOK.has(text.charCodeAt(last - 3));
  return code === 101 && text.charCodeAt(last - 1) === 117 && text.charCodeAt(last + 2) !== QUOTE;
}

/** The character before `url`: `hookUrl`, `HOOK_URL`. */
const HOOK: ReadonlySet<number> = new Set([75, 107, 95, 45]);

/** Returns the place of the last character of a name, before spaces, quotes and a bracket. */
function nameEnd(text: string, from: number): number {
  let at = from;
  const least = at - MAX_SPACES;
  while (at > least && isSpace(text.charCodeAt(at))) at -= 1;
  if (text.charCodeAt(at) === BRACKET) at -= 1;
  if (!isQuote(text.charCodeAt(at))) return at;
  at -= 1;
  while (text.charCodeAt(at) === BACKSLASH) at -= 1;
  return at;
}

function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < MAX_NAME && isInName(text.charCodeAt(start - 1))) start -= 1;
  // The letter of an escape, as in `\nTOKEN=`, is no part of the name.
  if (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) start += 1;
  return text.slice(start, end);
}

const KEY = /(?:key|name)="([\w.:-]{1,64})"\s{1,8}$/;

/** Returns the name of an attribute `value`, which is that of the attribute before it. */
function keyBefore(text: string, end: number): string {
  return KEY.exec(text.slice(Math.max(0, end - MAX_NAME - 16), end))?.[1] ?? "value";
}

interface Named {
  readonly name: string;
  readonly kind: Kind;
  /** Nothing is between the name and a `=`. */
  readonly isDirect: boolean;
}

const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Negotiate|JWT|Key)[ \t]+/iy;
const BARE = /[^\s"'`\\,;<>(){}[\]|&]+/y;
/** Of a variable everything up to white space is its value. */
const VARIABLE = /[^\s"'`\\]+/y;
const CAPITALS = /^[A-Z][A-Z0-9_]*$/;

function addValue(search: Search, from: number, named: Named): void {
  const { text, ranges } = search;
  const { at, slashes } = valueStart(text, from);
  const isQuoted = slashes !== undefined;
  if (/cookie$/i.test(named.name)) return addCookies(search, { at, slashes });
  SCHEME.lastIndex = at;
  const hasScheme = SCHEME.test(text);
  const start = hasScheme ? SCHEME.lastIndex : at;
  const isVariable = !isQuoted && named.isDirect && start === from && CAPITALS.test(named.name);
  const end = isQuoted
    ? closing(text, start, slashes, at)
    : bareEnd(search, start, isVariable ? "variable" : "bare");
  if (end <= start || end - start > MAX_VALUE || (!isQuoted && isCall(text.charCodeAt(end)))) return;
  const context = contextOf(named.kind, { isQuoted, hasScheme, isVariable });
  if (isSecretValue(text.slice(start, end), context)) ranges.push([start, end]);
}

/** After `Bearer` and the like, any value is one that logs in. */
function contextOf(
  kind: Kind,
  { isQuoted, hasScheme, isVariable }: Readonly<Record<"isQuoted" | "hasScheme" | "isVariable", boolean>>,
): ValueContext {
  return {
    kind: hasScheme && kind === "maybe" ? "secret" : kind,
    isQuoted: isQuoted || hasScheme,
    isVariable,
  };
}

function bareEnd(search: Search, at: number, kind: "bare" | "variable"): number {
  const { text } = search;
  const [start, known] = search[kind];
  if (at >= start && at < known) return known;
  const pattern = kind === "bare" ? BARE : VARIABLE;
  pattern.lastIndex = at;
  const end = pattern.test(text) ? pattern.lastIndex : at;
  search[kind] = [at, end];
  return end;
}

const COOKIE = /(?:^|[\s;])([^\s;=]{1,64})=([^\s;"]+)/g;

/** Adds the values of cookies that look generated. */
function addCookies(
  search: Search,
  { at: from, slashes }: { readonly at: number; readonly slashes: number | undefined },
): void {
  const { text, ranges } = search;
  if (from >= search.cookies[0] && from < search.cookies[1]) return;
  const end = slashes === undefined ? lineEnd(text, from) : closing(text, from, slashes);
  search.cookies = [from, end];
  for (const match of text.slice(from, end).matchAll(COOKIE)) {
    const [whole, name = "", value = ""] = match;
    const kind = kindOf(name) ?? "maybe";
    const start = from + match.index + whole.length - value.length;
    if (isSecretValue(value, { kind, isQuoted: true, isVariable: kind === "maybe" }))
      ranges.push([start, start + value.length]);
  }
}

/** Adds the text of an element of XML with the name of a secret; `end` is the place of its end tag. */
function element({ text, ranges }: Search, end: number): void {
  const from = Math.max(0, end - MAX_ELEMENT);
  const start = from + text.slice(from, end).lastIndexOf(">");
  if (start < Math.max(2, from) || ENDINGS[endingAt(text, start - 1)] === 0) return;
  const name = nameBefore(text, start);
  if (text.charCodeAt(start - name.length - 1) !== 60) return;
  const kind = kindOf(name);
  if (kind === undefined) return;
  const value = text.slice(start + 1, end);
  if (isSecretValue(value, { kind, isQuoted: true, isVariable: false })) ranges.push([start + 1, end]);
}

const MAX_ELEMENT = 512;
