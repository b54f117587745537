import type { Range } from "./ranges.ts";
import { FORMS, MIN_TOKEN, type Form } from "./forms.ts";
import { isPlaceholder, looksRandom } from "./randomness.ts";

/** The characters of a run: letters, digits, `-`, `.`, `_` and `~`. */
const IN_RUN = new Uint8Array(1 << 16);
for (const character of "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~")
  IN_RUN[character.charCodeAt(0)] = 1;
/** Those after which a token may start, and those that begin an escape. */
const DOT = 46;
const LINE = 95;
const TILDE = 126;
const BACKSLASH = 92;
const PERCENT = 37;

/** The forms by the first two characters of a start: an index of `BUCKETS`; 0 if there is none. */
const BUCKET = new Uint8Array(128 * 128);
const BUCKETS: (readonly [start: string, form: Form])[][] = [[]];
for (const form of FORMS) {
  for (const start of form.starts) {
    const key = keyOf(start.charCodeAt(0), start.charCodeAt(1));
    if (BUCKET[key] === 0) BUCKET[key] = BUCKETS.push([]) - 1;
    BUCKETS[BUCKET[key] ?? 0]?.push([start, form]);
  }
}

function keyOf(first: number, second: number): number {
  return first < 128 && second < 128 ? first * 128 + second : 0;
}

/**
 * Adds the places of tokens in a text. Checks every sixteenth character and walks back from there: most text has no run of letters and
 * digits that is long enough, and is passed over.
 */
export function findTokens(text: string, ranges: Range[]): void {
  const { length } = text;
  let end = MIN_TOKEN - 1;
  while (end < length) {
    const least = end - MIN_TOKEN;
    let at = end;
    while (at > least && IN_RUN[text.charCodeAt(at)] === 1) at -= 1;
    if (at > least) {
      end = at + MIN_TOKEN;
      continue;
    }
    let stop = end + 1;
    while (stop < length && IN_RUN[text.charCodeAt(stop)] === 1) stop += 1;
    findInRun(text, at + 1, stop, ranges);
    end = stop + MIN_TOKEN;
  }
}

function findInRun(text: string, start: number, stop: number, ranges: Range[]): void {
  let free = tokenAt(text, start, start, ranges);
  // The letter of an escape, or the digits of an encoded character, are no part of a token.
  const before = start === 0 ? 0 : text.charCodeAt(start - 1);
  if (before === BACKSLASH) free = tokenAt(text, start + 1, free, ranges);
  if (before === PERCENT) free = tokenAt(text, start + 2, free, ranges);
  for (let at = start; at < stop - 2; at += 1) {
    const code = text.charCodeAt(at);
    // `-` is less than `.`.
    if (code > DOT && code !== LINE && code !== TILDE) continue;
    if (code === TILDE) free = tokenAt(text, at - 1, free, ranges);
    if (at + 1 >= free) free = tokenAt(text, at + 1, free, ranges);
  }
}

/** Adds the token that starts at a place. Returns the place up to which no other one starts. */
function tokenAt(text: string, at: number, free: number, ranges: Range[]): number {
  const bucket = BUCKET[keyOf(text.charCodeAt(at), text.charCodeAt(at + 1))] ?? 0;
  if (bucket === 0) return free;
  let rejected = free;
  for (const [start, { pattern, back, isRandom }] of BUCKETS[bucket] ?? []) {
    if (!text.startsWith(start, at)) continue;
    if (start === "eyJ" && !hasDot(text, at)) continue;
    pattern.lastIndex = Math.max(0, at - back);
    const [token] = pattern.exec(text) ?? [];
    if (token === undefined) continue;
    const isSecret =
      !isPlaceholder(token) && (isRandom !== true || looksRandom(token.slice(start.length), 12));
    // What was refused is not read again from each of its parts.
    if (!isSecret) rejected = Math.max(rejected, pattern.lastIndex);
    if (!isSecret) continue;
    ranges.push([pattern.lastIndex - token.length, pattern.lastIndex]);
    return pattern.lastIndex;
  }
  return rejected;
}

/** Returns whether the run of a web token has a dot: a run with many starts and no dot would be read from each of them. */
function hasDot(text: string, at: number): boolean {
  return text.slice(at, at + MAX_HEADER).includes(".");
}

const MAX_HEADER = 1020;
