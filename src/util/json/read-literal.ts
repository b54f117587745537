import type { Json } from "../../core/json.ts";
import { setOwn } from "./set-own.ts";

/** A text that is read from left to right. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** The next character; "" at the end. */
  readonly next: string;
  readonly isAtEnd: boolean;
  /** Takes what a sticky pattern matches; undefined if it does not match here. */
  match(pattern: RegExp): string | undefined;
  skipSpace(): void;
  /** Takes this character and the space after it, if it is next. */
  takes(char: string): boolean;
  /** Takes it, or throws `Unreadable`. */
  needs(char: string): void;
}

function createCursor(text: string, space: RegExp): Cursor {
  const cursor = {
    text,
    at: 0,
    get next() {
      return text.charAt(cursor.at);
    },
    get isAtEnd() {
      return cursor.at >= text.length;
    },
    match(pattern: RegExp) {
      pattern.lastIndex = cursor.at;
      const matched = pattern.exec(text)?.[0];
      cursor.at += matched?.length ?? 0;
      return matched;
    },
    skipSpace: () => void cursor.match(space),
    takes(char: string) {
      if (cursor.next !== char) return false;
      cursor.at += 1;
      cursor.skipSpace();
      return true;
    },
    needs(char: string) {
      if (!cursor.takes(char)) throw new Unreadable();
    },
  };
  cursor.skipSpace();
  return cursor;
}

/** Thrown inside `readLiteral` by a text with no certain meaning. */
export class Unreadable extends Error {}

/** How values are written. `T` is what is known about the place of a value, such as its schema. */
export interface Notation<T> {
  /** Matches white space and comments. */
  readonly space: RegExp;
  /** Reads a value without brackets. Throws `Unreadable` if there is none. */
  readonly scalar: (cursor: Cursor, place: T, isInBrackets: boolean) => Json;
  /** Reads a key, without the colon. */
  readonly key: (cursor: Cursor) => string;
  /** Returns the place of a value inside another one: of a key, or of an item. */
  readonly inside: (place: T, key?: string) => T;
  readonly maxDepth: number;
  /** Whether `(…)` is a list, and `{…}` without keys is one too. */
  readonly hasTuples?: boolean;
  /** Whether commas may be missing before a quoted key. */
  readonly mayLackCommas?: boolean;
  /** Whether brackets may be missing at the end of the text. */
  readonly mayLackEnd?: boolean;
}

/** Reads a whole text; undefined if it has no certain meaning. */
export function readLiteral<T, R>(
  text: string,
  notation: Notation<T>,
  read: (cursor: Cursor) => R,
): R | undefined {
  try {
    const cursor = createCursor(text, notation.space);
    const value = read(cursor);
    return cursor.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Reads one value and the space after it. */
export function readValue<T>(cursor: Cursor, notation: Notation<T>, place: T, depth = 0): Json {
  if (depth > notation.maxDepth) throw new Unreadable();
  const { next } = cursor;
  if (next === "{" || next === "[" || (next === "(" && notation.hasTuples === true)) {
    cursor.takes(next);
    return next === "{"
      ? readObject(cursor, notation, place, depth)
      : readList(cursor, notation, place, { closer: next === "[" ? "]" : ")", depth });
  }
  const value = notation.scalar(cursor, place, depth > 0);
  cursor.skipSpace();
  return value;
}

function readList<T>(
  cursor: Cursor,
  notation: Notation<T>,
  place: T,
  { closer, depth }: { readonly closer: string; readonly depth: number },
): Json {
  const items: Json[] = [];
  while (!cursor.takes(closer)) {
    items.push(readValue(cursor, notation, notation.inside(place), depth + 1));
    if (cursor.takes(",") || cursor.next === closer) continue;
    return ended(cursor, notation, items);
  }
  return items;
}

function readObject<T>(cursor: Cursor, notation: Notation<T>, place: T, depth: number): Json {
  const value: Record<string, Json> = {};
  const start = cursor.at;
  while (!cursor.takes("}")) {
    const key = notation.key(cursor);
    cursor.skipSpace();
    if (notation.hasTuples === true && cursor.next === "," && Object.keys(value).length === 0) {
      cursor.at = start;
      return readList(cursor, notation, place, { closer: "}", depth });
    }
    cursor.needs(":");
    // Either of two values may be meant.
    if (Object.hasOwn(value, key)) throw new Unreadable();
    setOwn(value, key, readValue(cursor, notation, notation.inside(place, key), depth + 1));
    if (cursor.takes(",") || cursor.next === "}") continue;
    if (notation.mayLackCommas === true && cursor.next === '"') continue;
    return ended(cursor, notation, value);
  }
  return value;
}

/** Accepts a value whose closing bracket is missing at the end of the text. */
function ended<T>(cursor: Cursor, { mayLackEnd = false }: Notation<T>, value: Json): Json {
  if (!mayLackEnd || !cursor.isAtEnd) throw new Unreadable();
  return value;
}
