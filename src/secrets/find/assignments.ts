import { BACKSLASH, BRACKET, isDigit, isInName, isQuote, isSpace, QUOTE } from "./characters.ts";
import type { Range } from "./ranges.ts";
import { kindOf } from "./names.ts";
import { hasSecretEnding, mayEnd } from "./name-endings.ts";
import { addValue, searchIn, type Search } from "./assigned-value.ts";
import { isSecretValue } from "./values.ts";

const EQUALS = 61;
const COLON = 58;
const GREATER = 62;
const QUESTION = 63;
const EXCLAMATION = 33;
const SLASH = 47;
const MAX_SPACES = 24;
const MAX_NAME = 64;
const MAX_LINE_DIGITS = 8;

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

/** Adds the text of an element of XML with the name of a secret; `end` is the place of its end tag. */
function element({ text, ranges }: Search, end: number): void {
  const from = Math.max(0, end - MAX_ELEMENT);
  const start = from + text.slice(from, end).lastIndexOf(">");
  if (start < Math.max(2, from) || !hasSecretEnding(text, start - 1)) return;
  const name = nameBefore(text, start);
  if (text.charCodeAt(start - name.length - 1) !== 60) return;
  const kind = kindOf(name);
  if (kind === undefined) return;
  const value = text.slice(start + 1, end);
  if (isSecretValue(value, { kind, isQuoted: true, isVariable: false })) ranges.push([start + 1, end]);
}

const MAX_ELEMENT = 512;
