/** A set of characters, as ranges of code points from … to. */
export type Ranges = readonly (readonly [number, number])[];

/** A regular expression as far as its matching time depends on it: anchors and captures are left out. */
export type PatternTree =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly PatternTree[] }
  | { readonly kind: "repeat"; readonly body: PatternTree; readonly least: number; readonly most: number }
  /** Looks without taking anything. */
  | { readonly kind: "look"; readonly body: PatternTree };

const LAST = 0x10ffff;
const EMPTY: PatternTree = { kind: "sequence", parts: [] };
const EVERY: Ranges = [[0, LAST]];
const DIGITS: Ranges = [[48, 57]];
const WORD: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACE: Ranges = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const NO_NEWLINE: Ranges = complement([
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]);
const CLASSES: Readonly<Record<string, Ranges>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };

/** Reads the source of an expression that is known to be valid. What it does not know in detail it takes for any character. */
export function readPattern(source: string): PatternTree {
  return new Reader(source).choice();
}

export function overlaps(a: Ranges, b: Ranges): boolean {
  return a.some(([from, to]) => b.some(([low, high]) => from <= high && low <= to));
}

export function intersection(a: Ranges, b: Ranges): Ranges {
  return a.flatMap(([from, to]) =>
    b
      .filter(([low, high]) => from <= high && low <= to)
      .map(([low, high]) => [Math.max(from, low), Math.min(to, high)] as const),
  );
}

function complement(ranges: Ranges): Ranges {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  const rest: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of sorted) {
    if (from > next) rest.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

class Reader {
  readonly #points: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#points = Array.from(source);
  }

  choice(): PatternTree {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
  }

  #sequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (this.#at < this.#points.length && this.#peek() !== "|" && this.#peek() !== ")") {
      parts.push(this.#repeated(this.#atom()));
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
  }

  #atom(): PatternTree {
    const point = this.#next();
    switch (point) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "set", ranges: this.#class() };
      case ".":
        return { kind: "set", ranges: NO_NEWLINE };
      case "^":
      case "$":
        return EMPTY;
      case "\\":
        return this.#escapedAtom();
      default:
        return single(point.codePointAt(0) ?? 0);
    }
  }

  #group(): PatternTree {
    let isLook = false;
    if (this.#take("?")) {
      const mark = this.#next();
      if (mark === "<" && this.#peek() !== "=" && this.#peek() !== "!") this.#skipPast(">");
      else if (mark === "<") this.#at += 1;
      isLook =
        mark === "=" || mark === "!" || (mark === "<" && /[=!]/.test(this.#points[this.#at - 1] ?? ""));
      // Flags of a group, `(?i:`, end at the colon.
      if (mark !== ":" && mark !== "<" && !isLook) this.#skipPast(":");
    }
    const body = this.choice();
    this.#take(")");
    return isLook ? { kind: "look", body } : body;
  }

  #repeated(body: PatternTree): PatternTree {
    const bounds = this.#bounds();
    if (bounds === undefined) return body;
    this.#take("?");
    return { kind: "repeat", body, least: bounds[0], most: bounds[1] };
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    if (this.#peek() !== "{") return undefined;
    const end = this.#points.indexOf("}", this.#at);
    const match = /^\{(\d+)(,?)(\d*)\}$/.exec(this.#points.slice(this.#at, end + 1).join(""));
    if (match === null) return undefined;
    this.#at = end + 1;
    const least = Number(match[1]);
    if (match[2] === "") return [least, least];
    return [least, match[3] === "" ? Infinity : Number(match[3])];
  }

  #escapedAtom(): PatternTree {
    const point = this.#peek() ?? "";
    if (point === "b" || point === "B") {
      this.#at += 1;
      return EMPTY;
    }
    if (/[1-9k]/.test(point)) {
      // A backward reference takes whatever its group took.
      this.#at += 1;
      if (point === "k" && this.#peek() === "<") this.#skipPast(">");
      return { kind: "repeat", body: { kind: "set", ranges: EVERY }, least: 0, most: Infinity };
    }
    return { kind: "set", ranges: this.#escape() };
  }

  #class(): Ranges {
    const isNegated = this.#take("^");
    const ranges: (readonly [number, number])[] = [];
    while (this.#at < this.#points.length && !this.#take("]")) {
      const from = this.#member();
      const isRange = this.#peek() === "-" && this.#points[this.#at + 1] !== "]" && isSingle(from);
      if (isRange) this.#at += 1;
      const to = isRange ? this.#member() : from;
      ranges.push(
        ...(isRange && isSingle(to) ? [[from[0]?.[0] ?? 0, to[0]?.[0] ?? LAST] as const] : [...from, ...to]),
      );
    }
    return isNegated ? complement(ranges) : ranges;
  }

  #member(): Ranges {
    const point = this.#next();
    if (point !== "\\") return single(point.codePointAt(0) ?? 0).ranges;
    if (this.#take("b")) return single(8).ranges;
    return this.#escape();
  }

  #escape(): Ranges {
    const point = this.#next();
    const known = Object.hasOwn(CLASSES, point) ? CLASSES[point] : undefined;
    if (known !== undefined) return known;
    if (point === "p" || point === "P") {
      if (this.#peek() === "{") this.#skipPast("}");
      return EVERY;
    }
    const digits = { x: 2, u: 4 }[point];
    if (digits !== undefined) return single(this.#hexadecimal(digits)).ranges;
    if (point === "c") return single((this.#next().codePointAt(0) ?? 0) % 32).ranges;
    return single(CONTROLS[point] ?? point.codePointAt(0) ?? 0).ranges;
  }

  #hexadecimal(digits: number): number {
    if (this.#take("{")) {
      const start = this.#at;
      this.#skipPast("}");
      return Number.parseInt(this.#points.slice(start, this.#at - 1).join(""), 16);
    }
    this.#at += digits;
    return Number.parseInt(this.#points.slice(this.#at - digits, this.#at).join(""), 16) || 0;
  }

  #peek(): string | undefined {
    return this.#points[this.#at];
  }

  #next(): string {
    this.#at += 1;
    return this.#points[this.#at - 1] ?? "";
  }

  #take(point: string): boolean {
    if (this.#peek() !== point) return false;
    this.#at += 1;
    return true;
  }

  #skipPast(point: string): void {
    while (this.#at < this.#points.length && this.#next() !== point);
  }
}

function single(code: number): { readonly kind: "set"; readonly ranges: Ranges } {
  return { kind: "set", ranges: [[code, code]] };
}

function isSingle(ranges: Ranges): boolean {
  const [only] = ranges;
  return ranges.length === 1 && only !== undefined && only[0] === only[1];
}
