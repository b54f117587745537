import type { Source, Step } from "./source.ts";

/** The notation that decides how strings are quoted. */
export type Quotes = "json" | "python";

const OUTSIDE = { json: /["{}[\]()<]/g, python: /["'{}[\]()<]/g } as const;
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const MAX_DEPTH = 1000;

/** Skips one bracketed value. Returns false, with a part of it skipped, if it is broken or incomplete. */
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
    // No notation has a "<" outside strings: the value ended before its brackets were closed.
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

/** The length of the longest marker that is searched for. */
const MAX_MARKER = 96;

/**
 * Skips to the start of the next match of a global pattern. Returns undefined, with everything skipped, if there is none. A match
 * must be bounded in length and must not depend on the text after it.
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

/** Returns as much of a word as is at the cursor, without taking it. */
export function* peekWord(source: Source, word: string): Step<string> {
  for (;;) {
    const text = source.window.slice(source.at, source.at + word.length);
    if (text.length === word.length || !word.startsWith(text) || !(yield* source.more())) return text;
  }
}

/** Compiles patterns, each source once. */
export interface Patterns {
  /** Returns a global, case-insensitive pattern. */
  of(source: string): RegExp;
}

/** Sources contain names that models write, so their number is limited. */
const MAX_PATTERNS = 200;

export function createPatterns(): Patterns {
  const made = new Map<string, RegExp>();
  return {
    of: (source) => {
      const known = made.get(source);
      if (known !== undefined) return known;
      const pattern = new RegExp(source, "gi");
      if (made.size < MAX_PATTERNS) made.set(source, pattern);
      return pattern;
    },
  };
}
