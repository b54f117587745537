import type { Json, JsonObject } from "../../../core/json.ts";

/** What is known about the value at one place of a damaged call. */
export interface Place {
  /** Returns the key that is meant; undefined if no such key can be here. */
  keyOf(written: string): string | undefined;
  /** Returns what is known about a member, after those that have been read; undefined if it cannot be read. */
  member(key: string, before: JsonObject): Place | undefined;
  readonly item: Place | undefined;
  readonly mayBeText: boolean;
  /** The only keys that may be here; undefined if any may. */
  readonly keys: readonly string[] | undefined;
  fits(value: Json): boolean;
}

/** How a damaged input is written. */
export type Writing = "json" | "python" | "gemma";

const SPACE = /(?:\s|`{3}[a-z]*|(?:\/\/|#)[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
const COMMENT = /\/\/|#|\/\*|`/;
const KEY = /(\\"|["'“`]?)([\p{L}_$][\p{L}\p{N}_$.-]*)(\\"|["'”`]?)\s*([:=])/uy;

const QUOTES: readonly (readonly [string, string])[] = [
  ['<|"|>', '<|"|>'],
  ["<escape>", "<escape>"],
  [String.raw`\"`, String.raw`\"`],
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["`", "`"],
];
const TRIPLE = /"{3}|'{3}/y;
export const CALLED = /([\p{L}_][\p{L}\p{N}_.]*)\s*\(/uy;
export const WORD = /[^\s,:;{}[\]()"'“”`<>]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const CONSTANTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);
/** What may follow a whole value: brackets too many, and a fence. Only a sentence may follow these. */
const REST = /\s*(?:[}\])]\s*){0,32}(?:`{3}\s*)?/y;
const MARKS = /[{}[\]()"'`<>=]/;

/** Returns the number or constant that a word is; undefined for any other word. */
export function constantOf(word: string): Json | undefined {
  return NUMBER.test(word) ? Number(word) : CONSTANTS.get(word);
}

/** A damaged text, and what can be read at a position of it. */
export class GuidedText {
  readonly text: string;
  readonly writing: Writing;

  /** How far reading has gone past space and commas so far, from the same positions again too. */
  skipped = 0;
  readonly #lastMark: number;

  constructor(text: string, writing: Writing) {
    this.text = text;
    this.writing = writing;
    let last = text.length - 1;
    while (last >= 0 && !MARKS.test(text.charAt(last))) last -= 1;
    this.#lastMark = last;
  }

  /** Returns whether nothing follows but what may follow a whole value. */
  isRest(from: number): boolean {
    const { at } = this.skip(from);
    return at + (this.match(REST, at)?.[0].length ?? 0) > this.#lastMark;
  }

  /** Returns the key here, with what had to be repaired in it; undefined if the place has no such key. */
  keyAt(at: number, place: Place): { key: string; at: number; repairs: readonly string[] } | undefined {
    const match = this.match(KEY, at);
    const [whole, open = "", written = "", close = "", sign] = match ?? [];
    if (whole === undefined) return undefined;
    const key = place.keyOf(written);
    if (key === undefined) return undefined;
    const isPlain = this.writing === "json" ? open === '"' && close === '"' && sign === ":" : open === close;
    const repairs = [
      ...(isPlain ? [] : ["a key"]),
      ...(key === written ? [] : [`"${written}" for "${key}"`]),
    ];
    return { key, at: at + whole.length, repairs };
  }

  /** Returns the quotes that open here and that close it: what begins with three quotes in Python ends with three. */
  quotesAt(at: number): readonly [string, string] | undefined {
    const [triple] = (this.writing === "python" && this.match(TRIPLE, at)) || [];
    if (triple !== undefined) return [triple, triple];
    return QUOTES.find(([open]) => this.text.startsWith(open, at));
  }

  /** Skips commas and the space around them. */
  skipCommas(from: number): { at: number; count: number } {
    let { at } = this.skip(from);
    let count = 0;
    while (this.text.charAt(at) === ",") {
      count += 1;
      this.skipped += 1;
      at = this.skip(at + 1).at;
    }
    return { at, count };
  }

  /** Skips closing braces and the space before them. */
  skipBraces(from: number): { at: number; count: number } {
    let at = from;
    for (let count = 0; ; count += 1) {
      const { at: next } = this.skip(at);
      if (this.text.charAt(next) !== "}") return { at, count };
      this.skipped += 1;
      at = next + 1;
    }
  }

  /** Skips white space, comments and fences. */
  skip(at: number): { at: number; hasComment: boolean } {
    const [space = ""] = this.match(SPACE, at) ?? [];
    this.skipped += space.length;
    return { at: at + space.length, hasComment: COMMENT.test(space) };
  }

  /** Returns the match of a sticky pattern. */
  match(pattern: RegExp, at: number): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.text) ?? undefined;
  }
}

export const QUOTED = "unescaped quotes";
/** Marks a reading that is a rival of others, but never the only one. */
export const SUSPECT = "suspect";
/** The repair of a text that its quote does not close. */
export const NO_QUOTE = "a quote missing";

/** Returns whether a text with quotes has something in it that looks like a member that is not there. */
export function hasSwallowed(value: JsonObject, { keys = [] }: Place, repairs: readonly string[]): boolean {
  if (!repairs.includes(QUOTED)) return false;
  const texts = Object.values(value).filter((text) => typeof text === "string");
  const missing = keys.filter((key) => !Object.hasOwn(value, key));
  return missing.some((key) =>
    texts.some(
      (text) =>
        text
          .split(key)
          .slice(1)
          .some((after) => /^["'”]?\s*[:=]/.test(after)) && /["'“”]/.test(text),
    ),
  );
}

export interface Around {
  readonly depth: number;
  /** Whether a text may have quotes that are not escaped. */
  readonly mayHaveQuotes?: boolean;
}

export interface TextPlace {
  readonly place: Place;
  readonly mayEnd: MayEnd;
  readonly mayHaveQuotes: boolean;
}

export interface OpenCalls {
  readonly isList: boolean;
  readonly inputOf: (name: string) => Place | undefined;
  readonly value: readonly Json[];
  readonly repairs: readonly string[];
}

export interface OpenObject {
  readonly depth: number;
  readonly closer: string;
  readonly value: JsonObject;
  readonly repairs: readonly string[];
}

export interface OpenList {
  readonly depth: number;
  readonly value: readonly Json[];
  readonly repairs: readonly string[];
}

export interface Reading {
  readonly value: Json;
  /** The position after it. */
  readonly at: number;
  readonly repairs: readonly string[];
}

export type Readings = Generator<Reading, void, undefined>;
/** Returns whether a value may end here; "maybe" if a quote here may as well be a part of it. */
export type MayEnd = (at: number) => boolean | "maybe";

export interface ClosedText {
  readonly close: string;
  readonly repairs: readonly string[];
  readonly isCertain: boolean;
}
