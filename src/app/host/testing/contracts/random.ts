import type { Json } from "../../../../core/json.ts";

/** Characters of one to four bytes, quotes, patterns of SQL and of keys, and control characters. */
const CHARACTERS = [
  "a",
  "Z",
  "0",
  " ",
  "/",
  "'",
  '"',
  "%",
  "_",
  "*",
  ":",
  "\\",
  "\n",
  "\u0000",
  "é",
  "€",
  "\uFFFD",
  "💥",
];
const MAX_DEPTH = 3;

/** Values that look random and are the same in every run, so that a failure can be repeated. */
export interface Random {
  /** Returns a whole number from 0 to `most`. */
  upTo(most: number): number;
  list<T>(mostItems: number, create: () => T): readonly T[];
  text(mostCharacters: number): string;
  json(): Json;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const upTo = (most: number): number => {
    // An xorshift: enough for tests, and the same on every machine.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % (most + 1);
  };
  const list = <T>(mostItems: number, create: () => T): readonly T[] =>
    Array.from({ length: upTo(mostItems) }, create);
  const text = (mostCharacters: number): string =>
    list(mostCharacters, () => CHARACTERS[upTo(CHARACTERS.length - 1)]).join("");
  const json = (depth: number): Json => {
    const kind = upTo(depth === 0 ? 3 : 5);
    if (kind === 0) return null;
    if (kind === 1) return upTo(1) === 1;
    if (kind === 2) return (upTo(2_000_000) - 1_000_000) / 8;
    if (kind === 3) return text(20);
    if (kind === 4) return list(4, () => json(depth - 1));
    return Object.fromEntries(list(4, () => [`k${text(5)}`, json(depth - 1)] as const));
  };
  return { upTo, list, text, json: () => json(MAX_DEPTH) };
}
