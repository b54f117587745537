import { APOSTROPHE, BACKSLASH, BACKTICK, isQuote, isSpace, QUOTE } from "./characters.ts";

const MAX_SPACES = 24;
/** Longer values are no secrets. */
export const MAX_VALUE = 4096;

/** Returns where a value starts, and how many backslashes are before its quote; undefined if it is not quoted. */
export function valueStart(
  text: string,
  from: number,
): { readonly at: number; readonly slashes: number | undefined } {
  let at = from;
  while (at - from < MAX_SPACES && isSpace(text.charCodeAt(at))) at += 1;
  let slashes = 0;
  while (text.charCodeAt(at + slashes) === BACKSLASH) slashes += 1;
  return isQuote(text.charCodeAt(at + slashes))
    ? { at: at + slashes + 1, slashes }
    : { at, slashes: undefined };
}

/** Returns the place of the quote that closes a value; the place itself if there is none on the line. */
export function closing(text: string, from: number, slashes: number, opened = from): number {
  const quote = text.charCodeAt(opened - 1);
  const most = Math.min(text.length, from + MAX_VALUE);
  for (let at = from; at < most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return from;
    if (code === BACKSLASH && slashes === 0) at += 1;
    else if (code === quote && slashes > 0) return at - slashes;
    else if (code === quote) return at;
  }
  return from;
}

export function lineEnd(text: string, from: number): number {
  let at = from;
  const most = Math.min(text.length, from + MAX_VALUE);
  while (at < most && !STOPS.has(text.charCodeAt(at))) at += 1;
  return at;
}

const STOPS: ReadonlySet<number> = new Set([10, 13, QUOTE, APOSTROPHE, BACKTICK, BACKSLASH] as number[]);
