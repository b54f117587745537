import {
  constantOf,
  QUOTED,
  NO_QUOTE,
  type ClosedText,
  type MayEnd,
  type Readings,
  type TextPlace,
  type GuidedText,
} from "./guided-text.ts";

/** A longer search is given up: then the text has no certain meaning. */
const MAX_STEPS = 1_000_000;

/** The search for every meaning that a damaged text may have. */
export interface Search {
  readonly text: GuidedText;
  readonly unescape: (text: string) => string;
  steps: number;
  /** Where reading failed last. */
  furthest: number;
  /** Where a text could have ended or not. */
  forkedAt: number;
}

export function createSearch(text: GuidedText, unescape: (text: string) => string): Search {
  return { text, unescape, steps: 0, furthest: 0, forkedAt: 0 };
}

export function isExhausted({ steps, text }: Search): boolean {
  return steps + text.skipped > MAX_STEPS;
}

/** Counts steps. Returns false after too many. */
export function isWithin(search: Search, cost: number): boolean {
  search.steps += cost;
  return !isExhausted(search);
}

export function fail(search: Search, at: number): void {
  search.furthest = Math.max(search.furthest, at);
}

/**
 * Reads a text. Its first quote that something can follow closes it, unless a quote before that is part of the text: then every such
 * quote may close it, and the readings are compared.
 */
export function* readString(
  search: Search,
  at: number,
  [open, close]: readonly [string, string],
  text: TextPlace,
): Readings {
  const { place, mayEnd, mayHaveQuotes } = text;
  if (!place.mayBeText) return;
  const from = at + open.length;
  const repairs: string[] = OTHER_QUOTES.has(open) ? ["quotes"] : [];
  for (let end = from; end < search.text.text.length && isWithin(search, 1); end += 1) {
    // Between special tokens, a backslash is a character like any other.
    if (hasEscapes(open) && search.text.text.charAt(end) === "\\") {
      end += 1;
      continue;
    }
    if (!search.text.text.startsWith(close, end)) {
      if (open.length === 1 && repairs.length === 0)
        yield* readWithoutQuote(search, { from, end }, close, mayEnd);
      continue;
    }
    search.steps += 50;
    const ends = isEndOfThree(search, { from, end }, close) ? false : mayEnd(end + close.length);
    const isCertain = ends === true && !repairs.includes(QUOTED);
    if (ends !== false) yield* readClosed(search, from, end, { close, repairs, isCertain });
    // Between items, and keys that may be any, a quote may as well belong to damage between two texts.
    if (isCertain || !mayHaveQuotes) return;
    if (!repairs.includes(QUOTED)) repairs.push(QUOTED);
  }
  fail(search, at);
}

const OTHER_QUOTES = new Set(["“", "`"]);

function hasEscapes(open: string): boolean {
  return open.length === 1 || open === open.charAt(0).repeat(3);
}

/** Returns whether three quotes of Python may end here whose beginning is damaged. */
function isEndOfThree(
  { text }: Search,
  { from, end }: Readonly<Record<"from" | "end", number>>,
  close: string,
): boolean {
  const isOne = text.writing === "python" && close.length === 1 && end - from >= 2;
  return isOne && text.text.startsWith(close + close, end - 2);
}

function* readClosed(
  search: Search,
  from: number,
  end: number,
  { close, repairs, isCertain }: ClosedText,
): Readings {
  if (!isCertain) search.forkedAt = end;
  const value = search.unescape(search.text.text.slice(from, end));
  yield { value, at: end + close.length, repairs };
}

function* readWithoutQuote(
  search: Search,
  { from, end }: Readonly<Record<"from" | "end", number>>,
  close: string,
  mayEnd: MayEnd,
): Readings {
  if (end === from || !mayLackQuote(search, end, close) || mayEnd(end) === false) return;
  const text = search.text.text.slice(from, end);
  // The quote may be too many, before a value that has none, or before the opening token of one that has tokens for quotes.
  if (TOKEN_QUOTE.test(text)) return;
  const constant = constantOf(text.trim());
  if (constant !== undefined) yield { value: constant, at: end, repairs: ["a quote too many"] };
  yield { value: search.unescape(text), at: end, repairs: [NO_QUOTE] };
}

const TOKEN_QUOTE = /<\|"\|>|<escape>/;

/** Returns whether a text may end here without its quote. */
function mayLackQuote(search: Search, end: number, close: string): boolean {
  if (!",})".includes(search.text.text.charAt(end))) return false;
  return search.text.text.charAt(end - 1) !== close || search.text.text.charAt(end - 2) === "\\";
}
