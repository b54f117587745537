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
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a whole number from 0 to `most`. */
  upTo(most: number): number {
    // An xorshift: enough for tests, and the same on every machine.
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % (most + 1);
  }

  list<T>(mostItems: number, create: () => T): readonly T[] {
    return Array.from({ length: this.upTo(mostItems) }, create);
  }

  text(mostCharacters: number): string {
    return this.list(mostCharacters, () => CHARACTERS[this.upTo(CHARACTERS.length - 1)]).join("");
  }

  json(depth = MAX_DEPTH): Json {
    const kind = this.upTo(depth === 0 ? 3 : 5);
    if (kind === 0) return null;
    if (kind === 1) return this.upTo(1) === 1;
    if (kind === 2) return (this.upTo(2_000_000) - 1_000_000) / 8;
    if (kind === 3) return this.text(20);
    if (kind === 4) return this.list(4, () => this.json(depth - 1));
    return Object.fromEntries(this.list(4, () => [`k${this.text(5)}`, this.json(depth - 1)] as const));
  }
}
