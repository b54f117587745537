import type { Source, Step } from "./source.ts";

/** How the strings of a notation are quoted. */
export type Quotes = "json" | "python";

const OUTSIDE = { json: /["{}[\]()<]/g, python: /["'{}[\]()<]/g } as const;
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const MAX_DEPTH = 1000;

/** Passes over one bracketed value. False where it is broken or the text ends before it does; then what was passed is no whole value. */
export function* scanValue(source: Source, quotes: Quotes): Step<boolean> {
  const open: string[] = [];
  const pattern = OUTSIDE[quotes];
  for (;;) {
    pattern.lastIndex = source.at;
    const found = pattern.exec(source.window)?.[0];
    source.at = found === undefined ? source.window.length : pattern.lastIndex;
    if (found === undefined) {
      if (!(yield* source.more())) return false;
      continue;
    }
    if (found === '"' || found === "'") {
      if (!(yield* scanString(source, found))) return false;
      continue;
    }
    const closer = CLOSERS[found];
    if (closer !== undefined) {
      if (open.push(closer) > MAX_DEPTH) return false;
      continue;
    }
    // Outside strings no notation has a "<": the value ended before its brackets did.
    if (found === "<" || open.pop() !== found) {
      source.at -= 1;
      return false;
    }
    if (open.length === 0) return true;
  }
}

const STRING_STOPS = { '"': /["\\]/g, "'": /['\\]/g } as const;

function* scanString(source: Source, quote: '"' | "'"): Step<boolean> {
  const pattern = STRING_STOPS[quote];
  for (;;) {
    pattern.lastIndex = source.at;
    const found = pattern.exec(source.window)?.[0];
    source.at = found === undefined ? source.window.length : pattern.lastIndex;
    if (found === quote) return true;
    if (found === "\\") {
      if ((yield* source.peek(1)) === "") return false;
      source.at += 1;
    } else if (!(yield* source.more())) return false;
  }
}

/** No marker that is looked for is longer. */
const MAX_MARKER = 96;

/**
 * Passes over everything up to the next match of a global pattern, and stops before it. Undefined at the end of the text, with everything
 * passed. A match must be bounded in length, and nothing behind it may change what it is.
 */
export function* scanTo(source: Source, pattern: RegExp): Step<RegExpExecArray | undefined> {
  for (;;) {
    pattern.lastIndex = source.at;
    const found = pattern.exec(source.window);
    if (found !== null) {
      source.at = found.index;
      return found;
    }
    if (source.isEnded) {
      source.at = source.window.length;
      return undefined;
    }
    source.at = Math.max(source.at, source.window.length - MAX_MARKER);
    yield* source.more();
  }
}

/** As much of a word as stands at the cursor, not taken. */
export function* peekWord(source: Source, word: string): Step<string> {
  for (;;) {
    const text = source.window.slice(source.at, source.at + word.length);
    if (text.length === word.length || !word.startsWith(text) || !(yield* source.more())) return text;
  }
}
